/**
 * A walk that leaves out what ignore files say, for `glob` and `find` with `ignore: true`. It is not their default: `glob` is
 * Node's and `find` is find(1)'s, which know no ignore files, and code that counts on them must not lose files silently;
 * `grep`, which stands for ripgrep, has it the other way round. Hidden names are the pattern's affair, not this one's.
 */
import type { Inode } from "../inode.ts";
import type { Volume } from "../volume.ts";
import { type Walked, type WalkOptions, walk } from "../walk/walk.ts";
import { Gate } from "./gate.ts";

/** `path`: of the start, without links. */
export function* walkUnignored(volume: Volume, start: Inode, path: string, options: WalkOptions): Generator<Walked> {
  const gate = new Gate(volume, path, { ignore: true, hidden: true, overrides: null, cwd: path, types: null });
  let admitted = false;
  const enter = (entry: Walked) => {
    if (!admitted || options.enter?.(entry) === false) return false;
    gate.enter(entry);
    return true;
  };
  for (const entry of walk(volume, start, { ...options, enter })) {
    admitted = gate.admits(entry);
    if (admitted) yield entry;
  }
}
