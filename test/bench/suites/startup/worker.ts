/** The Workers of the suite differ only in the module that their object imports. */
import { DurableObject } from "cloudflare:workers";

interface Files {
  readonly fs: {
    writeFile(path: string, text: string): Promise<unknown>;
    readFile(path: string, encoding: "utf8"): Promise<string>;
  };
}

export function objectOf(Workspace: new (options: { storage: DurableObjectStorage }) => Files) {
  return class extends DurableObject {
    readonly #workspace = new Workspace({ storage: this.ctx.storage });

    override async fetch(): Promise<Response> {
      await this.#workspace.fs.writeFile("/workspace/a.txt", "a");
      return new Response(await this.#workspace.fs.readFile("/workspace/a.txt", "utf8"));
    }
  };
}

export const worker = {
  fetch: (request: Request, { BOX }: { BOX: DurableObjectNamespace }): Promise<Response> =>
    BOX.get(BOX.idFromName("bench")).fetch(request),
};
