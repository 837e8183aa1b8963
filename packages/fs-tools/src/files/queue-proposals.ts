/**
 * Adds changes to an actor's proposals. A model may send several calls at once, each based on the queue when it began. They are
 * compared with the current queue one after the other, so that none silently replaces another's change.
 */
import { ToolError } from "../errors.ts";
import type { Proposal, ToolState } from "../state/tool-state.ts";
import type { PendingWrite } from "./commit-writes.ts";

export interface ProposalQueue {
  readonly state: ToolState;
  readonly actor: string;
  /** Maximum number of proposals. */
  readonly max: number;
  /** Maximum bytes of all their contents. */
  readonly maxBytes: number;
  readonly now: () => number;
  /** The queue when the call began. */
  readonly seen: ReadonlyMap<string, Proposal>;
  /** The version and mode in the workspace; null: not found. */
  baseOf(path: string): Promise<{ version: string; mode: number } | null>;
}

const NEW_FILE_MODE = 0o644;

/** Returns the whole queue afterwards. */
export async function queueProposals(
  queue: ProposalQueue,
  puts: readonly PendingWrite[],
): Promise<ReadonlyMap<string, Proposal>> {
  const proposals = await Promise.all(puts.map((put) => proposalOf(queue, put)));
  const { state, actor, seen, max, maxBytes } = queue;
  return withStateLock(state, async () => {
    const now = new Map((await state.proposals(actor)).map((one) => [one.path, one]));
    const moved = puts.filter(({ path }) => !isSame(now.get(path), seen.get(path))).map(({ path }) => path);
    if (moved.length > 0)
      throw new ToolError(
        "STALE",
        `Another call changed the proposal of ${moved.join(", ")} in this moment; nothing was queued. Read it again and make your change anew.`,
        { paths: moved },
      );
    // A queued deletion of a file that was only proposed removes the proposal.
    const gone = proposals.filter(({ content, base }) => content === null && base === null).map(({ path }) => path);
    const retained = proposals.filter(({ path }) => !gone.includes(path));
    const fresh = retained.filter(({ path }) => !now.has(path)).length;
    if (now.size + fresh > max)
      throw new ToolError("QUOTA", `There are ${now.size} proposals already; apply or drop them first.`);
    const after = new Map(now);
    for (const proposal of retained) after.set(proposal.path, proposal);
    for (const path of gone) after.delete(path);
    const bytes = sizeOf(after);
    if (bytes > maxBytes && bytes > sizeOf(now))
      throw new ToolError("QUOTA", `The proposals would hold ${bytes} of ${maxBytes} bytes; apply or drop some first.`);
    await state.propose(actor, retained);
    if (gone.length > 0) await state.dropProposals(actor, gone);
    return after;
  });
}

/** Drops what was applied. A proposal that a call replaced meanwhile was not applied, and stays. */
export function dropApplied(state: ToolState, actor: string, applied: readonly Proposal[]): Promise<void> {
  return withStateLock(state, async () => {
    const now = new Map((await state.proposals(actor)).map((one) => [one.path, one]));
    const same = applied.filter((one) => isSame(now.get(one.path), one)).map(({ path }) => path);
    await state.dropProposals(actor, same);
  });
}

function sizeOf(proposals: ReadonlyMap<string, Proposal>): number {
  let bytes = 0;
  for (const { content } of proposals.values()) bytes += content?.length ?? 0;
  return bytes;
}

async function proposalOf(
  { seen, baseOf, now }: ProposalQueue,
  { path, bytes, mode }: PendingWrite,
): Promise<Proposal> {
  const before = seen.get(path);
  const there = before === undefined ? await baseOf(path) : null;
  const base = before === undefined ? (there?.version ?? null) : before.base;
  const usual = before === undefined ? (there?.mode ?? NEW_FILE_MODE) : undefined;
  const own = bytes === null || mode === undefined || mode === usual ? {} : { mode };
  return { path, content: bytes, base, ...own, timeMs: now() };
}

function isSame(a: Proposal | undefined, b: Proposal | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const [x, y] = [a.content, b.content];
  if (a.base !== b.base || a.mode !== b.mode) return false;
  if (x === null || y === null) return x === y;
  return x.length === y.length && x.every((byte, i) => byte === y[i]);
}

/** The time of the latest file proposed in a directory; null: none is proposed. */
export function latestProposalTime(queued: ReadonlyMap<string, Proposal>, directory: string): number | null {
  let latest: number | null = null;
  for (const { path, content, timeMs = 0 } of queued.values())
    if (content !== null && path.startsWith(directory === "/" ? directory : `${directory}/`))
      latest = Math.max(latest ?? 0, timeMs);
  return latest;
}

/** Per tool state, shared by all its toolsets. */
const turns = new WeakMap<ToolState, Promise<unknown>>();

function withStateLock<T>(state: ToolState, work: () => Promise<T>): Promise<T> {
  const now = (turns.get(state) ?? Promise.resolve()).then(work, work);
  turns.set(state, now);
  return now;
}
