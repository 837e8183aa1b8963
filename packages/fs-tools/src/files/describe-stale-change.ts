/** Describes who changed a file since an actor read it, and how: from the workspace's log and history, or from a cached text. */
import { splitLines, unifiedHunks } from "@workspace/text";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { cutText } from "../format/cut-text.ts";
import type { ReadVersion } from "../state/tool-state.ts";
import type { ReadCache } from "./read-cache.ts";

export interface StaleQuery {
  path: string;
  actor: string;
  seen: ReadVersion;
  workspace: ToolWorkspace | undefined;
  recent: ReadCache;
  maxBytes: number;
  /** Not deleted. */
  isThere: boolean;
}

const MAX_PAGES = 20;
/** A patch without a hunk is of a file with the same bytes. */
const HUNK = /^(@@ |Binary |GIT binary )/m;

/** "own": every change since was this actor's, through tools or commands. */
export async function describeStaleChange(
  question: StaleQuery,
  readNow: () => Promise<Uint8Array | null>,
): Promise<"own" | { by: string; diff?: string }> {
  const { workspace } = question;
  const others = workspace === undefined ? null : await otherActors(workspace, question);
  if (others !== null && others.length === 0) return "own";
  const by = others === null || others[0] === undefined ? "" : ` by ${others[0]}`;
  const diff = (await fromHistory(question)) ?? (await fromMemory(question, readNow));
  // Changed and changed back: it equals what this actor has read.
  if (question.isThere && diff !== undefined && !HUNK.test(diff)) return "own";
  return diff === undefined ? { by } : { by, diff: cutText(diff, question.maxBytes) };
}

/** Null: the log does not cover it. */
async function otherActors(workspace: ToolWorkspace, { path, actor, seen }: StaleQuery): Promise<string[] | null> {
  const others = new Set<string>();
  let since = seen.version;
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const { changes, cursor, more } = await workspace.fs.changes({ since, path });
      for (const change of changes) {
        const own = change.actor === actor || change.actor?.endsWith(`/${actor}`);
        if (!own) others.add(change.actor ?? "another actor");
      }
      if (!more) return [...others];
      since = cursor;
    }
  } catch {
    return null;
  }
  return others.size > 0 ? [...others] : null;
}

async function fromHistory({ workspace, path, seen }: StaleQuery): Promise<string | undefined> {
  try {
    const answer = await workspace?.history?.diff({ from: seen.version, path });
    return answer?.files.find((file) => file.path === path)?.patch;
  } catch {
    return undefined;
  }
}

async function fromMemory(
  { recent, actor, path, seen }: StaleQuery,
  readNow: () => Promise<Uint8Array | null>,
): Promise<string | undefined> {
  const before = recent.get(actor, path, seen.contentVersion);
  if (before === undefined) return undefined;
  const now = (await readNow()) ?? new Uint8Array(0);
  return new TextDecoder().decode(unifiedHunks(splitLines(before), splitLines(now), { context: 2 }));
}
