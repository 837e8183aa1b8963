/**
 * The public exports, listed a second time on purpose: every change to them must be repeated here. Types are not listed; the
 * compiler checks those.
 */
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
