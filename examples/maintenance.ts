import { DurableObject } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";

/** An object that expires history and collects removed files from its alarm. */
export class MaintainedAgent extends DurableObject {
  workspace = new Workspace({ storage: this.ctx.storage, retention: { days: 7 } });

  async write(path: string, text: string): Promise<void> {
    await this.workspace.fs.writeFile(path, text);
    await this.scheduleMaintenance();
  }

  override async alarm(): Promise<void> {
    await this.scheduleMaintenance((await this.workspace.maintain()).nextDueMs);
  }

  private async scheduleMaintenance(dueMs = this.workspace.nextDueMs()): Promise<void> {
    if (dueMs !== null) await this.ctx.storage.setAlarm(Math.max(dueMs, Date.now() + 1000));
  }
}
