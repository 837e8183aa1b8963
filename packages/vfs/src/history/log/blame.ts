/**
 * `history.blame`: which change wrote each line of a file. Walks the file's states backwards from now, and finds for each pair the
 * lines that the newer has and the older lacks. A file that replaced another (a rename over it, or removed and created again)
 * continues with that file's states. A state that restores an older one, as an undo does, is attributed to the older one.
 */
import { diffLines, type LineChange, splitLines, type TextLines } from "@workspace/text";
import { FsError } from "../../api/errors.ts";
import type { Blame, BlameLine } from "../../api/history.ts";
import { historyLimits } from "../../api/limits.ts";
import type { ContentRef } from "../../content/reader.ts";
import { selectInodeLog, selectRemovedAt } from "../../store/log-reader.ts";
import type { LogRow } from "../../store/log-row.ts";
import { type Inode, PURGED } from "../../tree/inode.ts";
import type { ReadContext } from "../../volume/context.ts";
import { resolveFile } from "../../volume/resolve-file.ts";
import type { ReadView } from "../../volume/views.ts";
import { yieldToRequests } from "../../walk/yield-to-requests.ts";
import { PastTree } from "../past/past-tree.ts";

/** A content that the file had, and the entry that set it; null when that is older than the log. */
interface BlameState {
  readonly ref: ContentRef;
  readonly by: LogRow | null;
}

const PAUSE_EVERY = 20;
/** As git detects text: no NUL among the first bytes. */
const BINARY_CHECK_BYTES = 8000;

export async function blame(ctx: ReadContext, path: string): Promise<Blame> {
  const { volume } = ctx;
  const inode = resolveFile(ctx, path);
  const text = readTextLines(volume, inode);
  if (text === null) throw new FsError("EINVAL", { syscall: "blame", path, reason: "not a text of at most 1 MiB" });
  const states = statesOf(volume, inode);
  const written: (LogRow | null)[] = new Array(text.count).fill(null);
  // For each line not attributed yet: its index in the current state.
  let open = new Map<number, number>(Array.from({ length: text.count }, (_, line) => [line, line]));
  let lines = text;
  for (let i = 0, steps = 0; i < states.length && open.size > 0; steps++) {
    if (steps % PAUSE_EVERY === PAUSE_EVERY - 1) await yieldToRequests();
    i = lastIndexOf(states, i);
    const { by } = states[i] as BlameState;
    const older = states[i + 1];
    const before = older === undefined ? NOTHING : readTextLines(volume.ensureOpen(), older.ref);
    if (by === null || before === null) break;
    const retained = unchangedLines(diffLines(before, lines), lines.count);
    const next = new Map<number, number>();
    for (const [line, at] of open) {
      const from = retained(at);
      if (from === null) written[line] = by;
      else next.set(line, from);
    }
    open = next;
    lines = before;
    i++;
  }
  return { path, version: volume.revisions.format(inode.rev), lines: describe(volume, text, written) };
}

function describe(volume: ReadView, text: TextLines, written: readonly (LogRow | null)[]): BlameLine[] {
  const decoder = new TextDecoder();
  return written.map((entry, i) => ({
    line: i + 1,
    text: decoder.decode(text.bytes.subarray(text.starts[i], text.starts[i + 1])).replace(/\r?\n$/, ""),
    ...(entry === null ? {} : { cursor: volume.revisions.format(entry.rev), timeMs: entry.time / 1000 }),
    ...(entry?.actor ? { actor: entry.actor } : {}),
    ...(entry?.callId ? { callId: entry.callId } : {}),
  }));
}

/** The oldest state with exactly these bytes: the author of a restore did not write them. */
function lastIndexOf(states: readonly BlameState[], from: number): number {
  const { content, size } = (states[from] as BlameState).ref;
  if (content === 0) return from;
  for (let i = states.length - 1; i > from; i--) {
    const { ref } = states[i] as BlameState;
    if (ref.content === content && ref.size === size) return i;
  }
  return from;
}

/** Newest first. */
function statesOf(volume: ReadView, inode: Inode): BlameState[] {
  const states: BlameState[] = [];
  let next: Inode | null = inode;
  while (next !== null && states.length < historyLimits.blameStates) {
    const { ino, rev, content, size }: Inode = next;
    let ref: ContentRef = { content, size };
    let replaced: Lost | null = null;
    let created: LogRow | null = null;
    const chain: LogRow[] = selectInodeLog(volume.store.db, [[ino, rev]], volume.revisions.oldest).get(ino) ?? [];
    for (const entry of chain) {
      if (entry.ino !== ino) continue;
      if (entry.op === "write") {
        states.push({ ref, by: entry });
        ref = { content: entry.oldContent ?? ref.content, size: entry.oldSize ?? ref.size };
      }
      if (entry.op === "rename" && entry.replaced !== null) replaced ??= { ino: entry.replaced, rev: entry.rev };
      if (entry.op === "create") created = entry;
    }
    states.push({ ref, by: created });
    if (created === null) return states;
    replaced ??= selectRemovedAt(volume.store.db, created.parent, created.path, created.rev);
    next = replaced === null ? null : new PastTree(volume.store.db, replaced.rev - 1).inode(replaced.ino);
  }
  return states;
}

/** A file that lost its name, and the revision at which that happened. */
interface Lost {
  readonly ino: number;
  readonly rev: number;
}

const NOTHING = splitLines("");

function readTextLines(volume: ReadView, ref: ContentRef): TextLines | null {
  if (ref.size > historyLimits.textBytes || ref.content === PURGED) return null;
  const bytes = volume.contents.reader(ref).read();
  return bytes.subarray(0, BINARY_CHECK_BYTES).includes(0) ? null : splitLines(bytes);
}

/** Maps a line of the newer text to the same line of the older; null for an added line. */
function unchangedLines(changes: readonly LineChange[], count: number): (line: number) => number | null {
  const from = new Int32Array(count).fill(-1);
  let older = 0;
  let newer = 0;
  const run = (end: number) => {
    while (newer < end) from[newer++] = older++;
  };
  for (const { oldStart, oldCount, newStart, newCount } of changes) {
    run(newStart);
    older = oldStart + oldCount;
    newer = newStart + newCount;
  }
  run(count);
  return (line) => ((from[line] as number) < 0 ? null : (from[line] as number));
}
