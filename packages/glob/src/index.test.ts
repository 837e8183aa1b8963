// The public surface, written out a second time on purpose: whoever changes it changes it here too.
// Types are not in it; the compiler holds those.
import { expect, test } from "vitest";
import * as glob from "./index.ts";

test("index exports this list and nothing else", () => {
  expect(Object.keys(glob).sort()).toEqual([
    "GlobError",
    "IGNORE_KINDS",
    "IgnoreStack",
    "PATH_POLICY_LIMITS",
    "checkPathPolicy",
    "compileExclude",
    "compileGlob",
    "compileOverrides",
    "compilePathPolicy",
    "compileTypes",
    "fileTypes",
    "globsForType",
    "hasMagic",
    "isInside",
    "literalPrefix",
    "parseIgnore",
  ]);
});
