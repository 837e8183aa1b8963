import { DurableObject } from "cloudflare:workers";
import { createToolset } from "@cloudflare/fs-tools";
import { Workspace } from "@cloudflare/workspace";

/** One agent: a workspace next to whatever else the object stores. */
export class Agent extends DurableObject {
  workspace = new Workspace({ storage: this.ctx.storage });

  /** Runs one tool call of a model. What it changes is logged under `callId` and can be undone. */
  async callTool(name: string, input: unknown, callId: string): Promise<unknown> {
    const toolset = await createToolset({ workspace: this.workspace, actor: "model" });
    const { structured } = await toolset.handle(name, input, { callId });
    await this.scheduleMaintenance();
    return structured;
  }

  /** Reverts exactly what one call changed. */
  async undo(callId: string): Promise<{ changed: number }> {
    const { total } = await this.workspace.history.undo({ callId });
    return { changed: total };
  }

  /** The tools as a model's provider takes them. */
  async tools(): Promise<unknown[]> {
    const toolset = await createToolset({ workspace: this.workspace });
    return toolset.schemas("anthropic");
  }

  /** History expires and removed files are collected in small steps. */
  override async alarm(): Promise<void> {
    await this.scheduleMaintenance((await this.workspace.maintain()).nextDueMs);
  }

  private async scheduleMaintenance(dueMs = this.workspace.nextDueMs()): Promise<void> {
    if (dueMs !== null) await this.ctx.storage.setAlarm(Math.max(dueMs, Date.now() + 1000));
  }
}
