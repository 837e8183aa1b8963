import { DurableObject } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";

export class NotesAgent extends DurableObject {
  workspace = new Workspace({ storage: this.ctx.storage });
  async note(text: string): Promise<string> {
    await this.workspace.fs.appendFile("/workspace/notes.md", `- ${text}\n`);
    return this.workspace.fs.readFile("/workspace/notes.md", "utf8");
  }
}
