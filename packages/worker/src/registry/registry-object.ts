/**
 * The list of workspaces: one object per deployment, because objects cannot be listed. It holds names and creation times, and
 * nothing that a workspace needs: if it is lost, every workspace still works by name.
 */
import { DurableObject } from "cloudflare:workers";
import type { WorkspaceInfo } from "../api/workspaces.ts";
import {
  createTable,
  deleteWorkspace,
  insertWorkspace,
  selectWorkspace,
  selectWorkspaces,
} from "./store/workspaces.ts";

export const REGISTRY_NAME = "registry";

export class RegistryObject<Env = unknown> extends DurableObject<Env> {
  readonly #sql = this.ctx.storage.sql;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    createTable(this.#sql);
  }

  /** False if the name is taken. */
  add(name: string, git: string | null = null): boolean {
    return insertWorkspace(this.#sql, name, Date.now(), git);
  }

  remove(name: string): boolean {
    return deleteWorkspace(this.#sql, name);
  }

  get(name: string): WorkspaceInfo | null {
    return selectWorkspace(this.#sql, name);
  }

  list(after: string, limit: number): WorkspaceInfo[] {
    return selectWorkspaces(this.#sql, after, limit);
  }
}
