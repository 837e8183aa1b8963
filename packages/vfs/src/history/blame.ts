/**
 * `history.blame`: which change wrote each line of a file. Walks the file's states from now backwards, and asks of each pair which
 * lines the newer has that the older lacks. A file that took another's place (a rename over it, or removed and made again) goes on
 * with that one's states; a state that brings an older one back, as an undo does, is passed over to it.
 */
import { type Change, diffLines, splitLines, type TextLines } from "@workspace/text";
import { ContentReader, type ContentRef } from "../content/reader.ts";
import type { FsContext } from "../context.ts";
import { FsError } from "../errors.ts";
import { fileAt } from "../fs/read-file.ts";
import { type Inode, PURGED } from "../inode.ts";
import { historyLimits } from "../limits.ts";
import { selectChains, selectRemovedAt } from "../store/past.ts";
import type { PastEntry } from "../store/past-entry.ts";
import type { Volume } from "../volume.ts";
import { giveWay } from "../walk/give-way.ts";
import type { Blame, BlameLine } from "./history.ts";
import { PastTree } from "./past-tree.ts";

/** A content that the file had, and the entry that gave it; null when that is older than the log. */
interface State {
  readonly ref: ContentRef;
  readonly by: PastEntry | null;
}

const PAUSE_EVERY = 20;
/** As git decides what is text: no NUL among the first bytes. */
const LOOKED_AT = 8000;

export async function blame(ctx: FsContext, path: string): Promise<Blame> {
  const { volume } = ctx;
  const inode = fileAt(ctx, path);
  const text = textOf(volume, inode);
  if (text === null) throw new FsError("EINVAL", { syscall: "blame", path, reason: "not a text of at most 1 MiB" });
  const states = statesOf(volume, inode);
  const written: (PastEntry | null)[] = new Array(text.count).fill(null);
  // For each line not settled yet: where it is in the state being looked at.
  let open = new Map<number, number>(Array.from({ length: text.count }, (_, line) => [line, line]));
  let lines = text;
  for (let i = 0, steps = 0; i < states.length && open.size > 0; steps++) {
    if (steps % PAUSE_EVERY === PAUSE_EVERY - 1) await giveWay();
    i = lastIndexOf(states, i);
    const { by } = states[i] as State;
    const older = states[i + 1];
    const before = older === undefined ? NOTHING : textOf(volume.open(), older.ref);
    if (by === null || before === null) break;
    const kept = keptLines(diffLines(before, lines), lines.count);
    const next = new Map<number, number>();
    for (const [line, at] of open) {
      const from = kept(at);
      if (from === null) written[line] = by;
      else next.set(line, from);
    }
    open = next;
    lines = before;
    i++;
  }
  return { path, version: volume.versionOf(inode.rev), lines: describe(volume, text, written) };
}

function describe(volume: Volume, text: TextLines, written: readonly (PastEntry | null)[]): BlameLine[] {
  const decoder = new TextDecoder();
  return written.map((entry, i) => ({
    line: i + 1,
    text: decoder.decode(text.bytes.subarray(text.starts[i], text.starts[i + 1])).replace(/\r?\n$/, ""),
    ...(entry === null ? {} : { cursor: volume.versionOf(entry.rev), timeMs: entry.time / 1000 }),
    ...(entry?.actor ? { actor: entry.actor } : {}),
    ...(entry?.callId ? { callId: entry.callId } : {}),
  }));
}

/** The oldest state with exactly these bytes: who brought them back did not write them. */
function lastIndexOf(states: readonly State[], from: number): number {
  const { content, size } = (states[from] as State).ref;
  if (content === 0) return from;
  for (let i = states.length - 1; i > from; i--) {
    const { ref } = states[i] as State;
    if (ref.content === content && ref.size === size) return i;
  }
  return from;
}

/** Newest first. */
function statesOf(volume: Volume, inode: Inode): State[] {
  const states: State[] = [];
  let next: Inode | null = inode;
  while (next !== null && states.length < historyLimits.blameStates) {
    const { ino, rev, content, size }: Inode = next;
    let ref: ContentRef = { content, size };
    let replaced: Lost | null = null;
    let made: PastEntry | null = null;
    const chain: PastEntry[] = selectChains(volume.db, [[ino, rev]], volume.oldestRev).get(ino) ?? [];
    for (const entry of chain) {
      if (entry.ino !== ino) continue;
      if (entry.op === "write") {
        states.push({ ref, by: entry });
        ref = { content: entry.oldContent ?? ref.content, size: entry.oldSize ?? ref.size };
      }
      if (entry.op === "rename" && entry.replaced !== null) replaced ??= { ino: entry.replaced, rev: entry.rev };
      if (entry.op === "create") made = entry;
    }
    states.push({ ref, by: made });
    if (made === null) return states;
    replaced ??= selectRemovedAt(volume.db, made.parent, made.path, made.rev);
    next = replaced === null ? null : new PastTree(volume.db, replaced.rev - 1).inode(replaced.ino);
  }
  return states;
}

/** A file that lost its name, and the revision at which it did. */
interface Lost {
  readonly ino: number;
  readonly rev: number;
}

const NOTHING = splitLines("");

function textOf(volume: Volume, ref: ContentRef): TextLines | null {
  if (ref.size > historyLimits.textBytes || ref.content === PURGED) return null;
  const bytes = new ContentReader(volume.db, ref).read();
  return bytes.subarray(0, LOOKED_AT).includes(0) ? null : splitLines(bytes);
}

/** From a line of the newer text to the same line of the older; null for one that came. */
function keptLines(changes: readonly Change[], count: number): (line: number) => number | null {
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
