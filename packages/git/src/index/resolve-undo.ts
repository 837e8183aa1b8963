/** The REUC extension: the stages of resolved conflicts, so that a resolution can be undone (`checkout -m`). */

import { type Oid, oidFromBytes, oidToBytes } from "../object/oid.ts";
import { compareText, concat, decode, encode } from "../text/bytes.ts";
import type { IndexFile } from "./index-file.ts";

interface UndoSide {
  readonly mode: number;
  readonly oid: Oid;
}

/** By path: base, ours, theirs. */
export type ResolveUndo = Map<string, (UndoSide | null)[]>;

/** Stops at malformed data: the extension is optional. */
export function parseResolveUndo(body: Uint8Array): ResolveUndo {
  const undo: ResolveUndo = new Map();
  for (let at = 0; at < body.length; ) {
    const texts: string[] = [];
    for (let field = 0; field < 4; field++) {
      const nul = body.indexOf(0, at);
      if (nul < 0) return undo;
      texts.push(decode(body.subarray(at, nul)));
      at = nul + 1;
    }
    const [path = "", ...modes] = texts;
    const sides: (UndoSide | null)[] = [];
    for (const text of modes) {
      const mode = /^[0-7]{1,6}$/.test(text) ? Number.parseInt(text, 8) : 0;
      if (mode > 0 && at + 20 > body.length) return undo;
      sides.push(mode > 0 ? { mode, oid: oidFromBytes(body, at) } : null);
      if (mode > 0) at += 20;
    }
    undo.set(path, sides);
  }
  return undo;
}

export function serializeResolveUndo(undo: ResolveUndo): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const path of [...undo.keys()].sort(compareText)) {
    const sides = undo.get(path) as (UndoSide | null)[];
    parts.push(encode(`${path}\0${sides.map((side) => `${(side?.mode ?? 0).toString(8)}\0`).join("")}`));
    for (const side of sides) if (side !== null) parts.push(oidToBytes(side.oid));
  }
  return concat(parts);
}

/** After switching to another tree, earlier resolutions are meaningless. */
export function clearResolveUndo(index: IndexFile): IndexFile {
  const extensions = index.extensions.filter(({ signature }) => signature !== "REUC");
  return extensions.length === index.extensions.length ? index : { ...index, extensions };
}

/** The objects needed to undo a resolution. */
export function undoObjects({ extensions }: IndexFile): Oid[] {
  const body = extensions.find(({ signature }) => signature === "REUC")?.body;
  if (body === undefined) return [];
  return [...parseResolveUndo(body).values()].flat().flatMap((side) => side?.oid ?? []);
}
