import { Think } from "@cloudflare/think";
import { Workspace } from "@cloudflare/workspace";
import { asThinkWorkspace } from "@cloudflare/workspace/adapters/think";

export class Coder extends Think {
  files = new Workspace({ storage: this.ctx.storage, id: this.ctx.id });
  override workspace = asThinkWorkspace(this.files.as({ actor: "think" }));

  /** Reverts everything that the agent changed. */
  async undo(): Promise<number> {
    const { total } = await this.files.history.undo({ actor: "think" });
    return total;
  }
}
