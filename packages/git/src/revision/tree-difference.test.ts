/** Byte-level tree differences compared with the plain algorithm, over names with unusual order. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTreeMode, MODE_FILE, MODE_TREE } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import { serializeTree, type TreeEntry } from "../object/tree.ts";
import { treeDifference } from "./tree-difference.ts";

const entry = fc.record({
  name: fc.constantFrom("a", "a-", "a.b", "a0", "b", "ab", "é", "z", "a/".slice(0, 1)),
  mode: fc.constantFrom(MODE_FILE, 0o100755, MODE_TREE),
  oid: fc.constantFrom("1", "2").map((digit) => digit.repeat(40) as Oid),
});
const tree = fc.uniqueArray(entry, { selector: ({ name }) => name, maxLength: 8 });
const key = ({ name, mode }: TreeEntry) => `${name}${isTreeMode(mode) ? "/" : ""}`;

describe("treeDifference", () => {
  it("finds what differs, by name and kind", () => {
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        const expected = new Set<string>();
        for (const x of a) {
          const y = b.find((one) => key(one) === key(x));
          if (!y || y.oid !== x.oid || y.mode !== x.mode) expected.add(key(x));
        }
        for (const y of b) if (!a.some((one) => key(one) === key(y))) expected.add(key(y));
        const found = treeDifference(serializeTree(a), serializeTree(b)).map(([x, y]) => key((x ?? y) as TreeEntry));
        expect(found.sort()).toEqual([...expected].sort());
      }),
    );
  });

  it("refuses bytes that are no tree", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
        try {
          treeDifference(bytes, new Uint8Array(0));
        } catch (error) {
          expect((error as { code: string }).code).toBe("ECORRUPT");
        }
      }),
    );
  });
});
