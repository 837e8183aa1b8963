/** Turns resolved paths into conflicts again, from the index's resolve-undo data (its REUC extension). */
import { NO_STAT } from "./compare-stat.ts";
import { IndexEditor } from "./index-editor.ts";
import type { Stage } from "./index-entry.ts";
import type { IndexFile } from "./index-file.ts";
import { parseResolveUndo, serializeResolveUndo } from "./resolve-undo.ts";

const SIGNATURE = "REUC";

/** Returns the index itself if no matching path can be unmerged. */
export function unmergeIndex(index: IndexFile, matches: (path: string) => boolean): IndexFile {
  const body = index.extensions.find(({ signature }) => signature === SIGNATURE)?.body;
  if (body === undefined) return index;
  const undo = parseResolveUndo(body);
  const editor = new IndexEditor(index);
  for (const [path, sides] of [...undo]) {
    if (editor.get(path) === undefined || !matches(path)) continue;
    editor.remove(path);
    for (const [i, side] of sides.entries())
      if (side !== null) editor.set({ path, stage: (i + 1) as Stage, ...side, stat: NO_STAT });
    undo.delete(path);
  }
  if (editor.unchanged) return index;
  const others = index.extensions.filter(({ signature }) => signature !== SIGNATURE);
  const left = undo.size === 0 ? [] : [{ signature: SIGNATURE, body: serializeResolveUndo(undo) }];
  return { ...editor.finish(), extensions: [...others, ...left] };
}
