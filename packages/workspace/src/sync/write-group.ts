/**
 * Writes differences of the container in one transaction: all or nothing. When the workspace changed between the decision and the
 * commit, it decides again.
 */
import type { PullAck, PullEntry } from "@workspace/protocol";
import type { BulkEntry } from "@workspace/vfs";
import type { PullContext } from "./pull-context.ts";
import { type Action, PullPlan, type TakenContent } from "./pull-plan.ts";
import { SyncTree } from "./sync-tree.ts";

/** With the index of each in its scan. */
export type WriteGroup = readonly [index: number, taken: PullEntry, content: TakenContent | undefined][];

/** If another writer keeps changing the same paths, the next pull retries. */
const TRIES = 8;

export async function writeGroup(
  context: PullContext,
  group: WriteGroup,
  moved: Map<string, string>,
  again: Map<string, boolean>,
): Promise<PullAck[]> {
  for (let tries = 1; ; tries++) {
    const view = new SyncTree(context.fs, context.root);
    const attempt = new Map(moved);
    const plan = new PullPlan(view, context.connection.hello.instance, attempt);
    const actions: Action[] = [];
    for (const [, taken, content] of group) actions.push(await plan.decide(taken, content));
    const bulk: BulkEntry[] = actions.flatMap((action) => (action.kind === "write" ? action.entries : []));
    try {
      const { versions } = bulk.length === 0 ? { versions: [] } : await context.fs.writeMany(bulk);
      for (const [from, to] of attempt) moved.set(from, to);
      return await finish(context, view, group, actions, versions, again);
    } catch (error) {
      if (!isRace(error) || tries === TRIES) throw error;
    }
  }
}

/** The workspace has changed since the decision. */
function isRace(error: unknown): boolean {
  return ["ESTALE", "EEXIST", "EISDIR", "ENOTDIR", "ENOENT"].includes((error as { code?: string }).code ?? "");
}

async function finish(
  context: PullContext,
  view: SyncTree,
  group: WriteGroup,
  actions: readonly Action[],
  versions: readonly (string | null)[],
  again: Map<string, boolean>,
): Promise<PullAck[]> {
  const { report, settled: known } = context;
  const settled: PullAck[] = [];
  let at = 0;
  for (const [i, [index, taken]] of group.entries()) {
    const action = actions[i] as Action;
    const behind = () => {
      again.set(taken.path, true);
      settled.push({ index, version: null, behind: true });
    };
    if (action.kind === "stay") {
      report.skip(view.absolute(taken.path), action.reason);
      behind();
      continue;
    }
    report.pulled.entries++;
    if (action.kind === "adopt") {
      if (action.conflictPath !== undefined)
        report.conflict(view.absolute(taken.path), view.absolute(action.conflictPath));
      if (action.behind) behind();
      else settled.push({ index, version: action.stat?.version ?? null, content: action.stat?.contentVersion ?? null });
      continue;
    }
    if (action.kind === "attr") {
      const stat = await setAttributes(view, action);
      if (action.behind || stat === null) behind();
      else settled.push({ index, version: stat.version, content: stat.contentVersion });
      continue;
    }
    at += action.entries.length;
    const version = versions[at - 1] ?? null;
    if (taken.op === "put") report.pulled.bytes += taken.size;
    if (action.conflictPath !== undefined) {
      report.conflict(view.absolute(taken.path), view.absolute(action.conflictPath));
      behind();
      continue;
    }
    if (taken.op === "put" && taken.type !== "dir" && version !== null) {
      settled.push({
        index,
        version,
        content: action.isOneChange ? version : await unchangedVersion(view, action.path, version),
      });
      if (known.size < MAX_KNOWN) known.set(action.path, version);
    } else settled.push({ index, version });
  }
  return settled;
}

async function unchangedVersion(view: SyncTree, path: string, version: string): Promise<string | null> {
  const stat = await view.lookup(path);
  return stat?.version === version ? stat.contentVersion : null;
}

const MAX_KNOWN = 20_000;

async function setAttributes(view: SyncTree, { path, mode, mtime }: Extract<Action, { kind: "attr" }>) {
  const absolute = view.absolute(path);
  try {
    if (mode !== null) await view.fs.chmod(absolute, mode);
    if (mtime !== null) await view.fs.lutimes(absolute, mtime / 1e6, mtime / 1e6);
    return await view.lookup(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as { code?: string }).code ?? "")) return null;
    throw error;
  }
}
