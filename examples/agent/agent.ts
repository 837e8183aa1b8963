import { DurableObject } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";

/** Your own object, with a workspace next to your own tables and your own alarm. */
export class Agent extends DurableObject {
  workspace = new Workspace({ storage: this.ctx.storage });

  async note(text: string): Promise<string> {
    const { fs } = this.workspace.as({ actor: "agent", callId: crypto.randomUUID() });
    await fs.mkdir("/workspace/notes", { recursive: true });
    await fs.appendFile("/workspace/notes/today.md", `- ${text}\n`);
    return fs.readFile("/workspace/notes/today.md", "utf8");
  }

  /** Fails with ESTALE, and changes nothing, when the file changed after it was read. */
  async replace(path: string, from: string, to: string): Promise<void> {
    const { content, version } = await this.workspace.fs.read(path);
    const text = new TextDecoder().decode(content).replaceAll(from, () => to);
    await this.workspace.fs.writeFile(path, text, { ifVersion: version });
  }

  /** git on the same files. */
  async commit(message: string): Promise<string> {
    const git = (...argv: string[]) => this.workspace.git.cli({ argv, cwd: "/workspace/notes" });
    await git("init", "--initial-branch=main");
    await git("add", ".");
    await git("commit", "--message", message);
    const { stdout } = await git("log", "--format=%an: %s");
    return new TextDecoder().decode(stdout);
  }
}
