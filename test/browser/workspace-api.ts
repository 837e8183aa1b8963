/** The workspace of a test, as another client sees it: over plain HTTP, beside the page. */
export class WorkspaceApi {
  constructor(
    readonly base: string,
    readonly name: string,
  ) {}

  get url(): string {
    return `${this.base}/api/w/${this.name}`;
  }

  async create(): Promise<void> {
    await this.#must(`${this.base}/api/workspaces`, { method: "POST", ...json({ name: this.name }) });
  }

  async write(path: string, text: string | Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#must(`${this.url}/files/${path}`, { method: "PUT", body: text });
  }

  async read(path: string): Promise<string> {
    return (await this.#must(`${this.url}/files/${path}`)).text();
  }

  /** Null when it is not there. */
  async maybeRead(path: string): Promise<string | null> {
    const response = await fetch(`${this.url}/files/${path}`);
    const text = await response.text();
    return response.ok ? text : null;
  }

  async remove(path: string): Promise<void> {
    await this.#must(`${this.url}/files/${path}?recursive=1`, { method: "DELETE" });
  }

  async git(...argv: string[]): Promise<string> {
    const response = await this.#must(`${this.url}/git`, { method: "POST", ...json({ argv }) });
    const { exitCode, stdout, stderr } = (await response.json()) as {
      exitCode: number;
      stdout: string;
      stderr: string;
    };
    if (exitCode !== 0) throw new Error(`git ${argv.join(" ")}: ${stderr}`);
    return stdout;
  }

  /** As an agent does. */
  async tool(name: string, input: Record<string, unknown>, actor: string): Promise<void> {
    const { body, headers } = json(input);
    const init = { method: "POST", body, headers: { ...headers, "X-Workspace-Actor": actor } };
    await this.#must(`${this.url}/tools/${name}`, init);
  }

  async unpack(path: string, tar: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#must(`${this.url}/archive?path=${path}&format=tar`, { method: "PUT", body: tar });
  }

  async #must(url: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(url, init);
    if (!response.ok) throw new Error(`${init?.method ?? "GET"} ${url}: ${response.status} ${await response.text()}`);
    return response;
  }
}

function json(body: unknown): { body: string; headers: Record<string, string> } {
  return { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
}
