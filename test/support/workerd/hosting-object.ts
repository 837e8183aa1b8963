/**
 * Another application's object, with its own tables and migrations (drizzle) and alarm, and a workspace as a guest.
 * It offers the workspace to others the way the documentation says.
 */
import { DurableObject } from "cloudflare:workers";
import { serveWorkspace, Workspace, type WorkspaceCall } from "@cloudflare/workspace";
import { type DrizzleSqliteDODatabase, drizzle } from "drizzle-orm/durable-sqlite";
import { migrate } from "drizzle-orm/durable-sqlite/migrator";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const notes = sqliteTable("notes", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  body: text("body").notNull(),
});

const migrations = {
  journal: { entries: [{ idx: 0, when: 1_780_000_000_000, tag: "0000_notes", breakpoints: true }] },
  migrations: {
    m0000: "CREATE TABLE `notes` (`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL, `body` text NOT NULL);",
  },
};

export class HostingObject extends DurableObject {
  readonly workspace = new Workspace({ storage: this.ctx.storage });
  readonly db: DrizzleSqliteDODatabase = drizzle(this.ctx.storage);
  alarms = 0;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(() => migrate(this.db, migrations));
  }

  workspaceRpc(call: WorkspaceCall) {
    return serveWorkspace(this.workspace, call, { actor: "guest" });
  }

  override async alarm(): Promise<void> {
    this.alarms++;
  }
}
