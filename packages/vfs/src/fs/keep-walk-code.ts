/**
 * V8 discards the optimized code for a class when it collects the last instance, and a walk ends with none left: after a full
 * collection the next walk would start in the interpreter. So this module keeps one instance of each hot class alive, belonging to
 * no tree.
 */
import { compileGlob } from "@workspace/glob";
import { FindDirectory } from "../match/find-directory.ts";
import { GlobDirectory } from "../match/glob-directory.ts";
import type { Inode } from "../tree/inode.ts";
import type { Volume } from "../volume/volume.ts";
import { DirectoryFrame } from "../walk/directory-frame.ts";
import { InodeBatch } from "../walk/inode-batch.ts";
import { WalkCursorEntry } from "../walk/walk-cursor-entry.ts";
import { Walker } from "../walk/walker.ts";

let retained: unknown;

export function keepWalkCode(): void {
  if (retained === undefined) retained = makeRetained();
}

function makeRetained(): unknown {
  const glob = compileGlob("**/*.a");
  const nowhere = { cache: { read: 0 }, headRev: 0, epochToken: "" } as unknown as Volume;
  const walker = new Walker(nowhere, { ino: 0 } as Inode, { what: "names", maxDepth: 0, limit: 0 });
  return [
    GlobDirectory.first({ globs: [glob], exclude: [], dirs: true, prefix: "" }).enter("a"),
    FindDirectory.first({ name: null, path: glob, type: null, inode: null }, "/").enter("a"),
    new InodeBatch(),
    new DirectoryFrame(0, "", null),
    walker,
    new WalkCursorEntry(walker),
  ];
}
