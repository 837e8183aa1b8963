/** Parsed results of patches; no input hangs the parser or makes it throw anything but `PatchError`. */
import { describe, expect, it } from "vitest";
import { applyHunks, PatchError, parsePatch } from "../index.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (content: Uint8Array) => new TextDecoder().decode(content);

const git = `diff --git a/dir/old b/dir/new
similarity index 90%
rename from dir/old
rename to dir/new
index 0123456..89abcde 100644
--- a/dir/old
+++ b/dir/new
@@ -1,3 +1,4 @@ head
 one
-two
+2
+2.5
 three
\\ No newline at end of file
diff --git a/x b/x
new file mode 100755
index 0000000..e69de29
`;

describe("parsePatch", () => {
  it("takes several slashes in a row in a name for one", () => {
    expect(parsePatch("--- a//dir//x\n+++ b//dir//x\n@@ -1 +1 @@\n-a\n+b\n")).toMatchObject([{ newName: "dir/x" }]);
  });

  it("reads git's headers and hunks", () => {
    const [renamed, created] = parsePatch(git);
    expect(renamed).toMatchObject({
      oldName: "dir/old",
      newName: "dir/new",
      isRename: true,
      score: 90,
      oldMode: 0o100644,
      oldId: "0123456",
      newId: "89abcde",
      added: 2,
      removed: 1,
    });
    expect(renamed?.hunks[0]).toMatchObject({
      oldStart: 1,
      oldCount: 3,
      newStart: 1,
      newCount: 4,
      leading: 1,
      trailing: 1,
    });
    expect(renamed?.hunks[0]?.lines.map(({ kind, text: line }) => kind + text(line))).toEqual([
      " one\n",
      "-two\n",
      "+2\n",
      "+2.5\n",
      " three",
    ]);
    expect(created).toMatchObject({ oldName: null, newName: "x", isNew: true, newMode: 0o100755, hunks: [] });
  });

  it("reads plain diffs with times, anything around them, and names without a directory", () => {
    const plain =
      "Hello,\n\n--- f.c\t2024-01-01 10:00:00\n+++ f.c\t2024-01-02 10:00:00\n@@ -1 +1 @@\n-a\n+b\n-- \nbye\n";
    expect(parsePatch(plain)).toMatchObject([{ oldName: "f.c", newName: "f.c", isNew: false, added: 1, removed: 1 }]);
    const created = "--- /dev/null\n+++ b/dir/f\n@@ -0,0 +1 @@\n+x\n";
    expect(parsePatch(created)).toMatchObject([{ oldName: null, newName: "dir/f", isNew: true }]);
    const epoch = "--- a/f\t1970-01-01 00:00:00.000000000 +0000\n+++ b/f\t2024-01-02\n@@ -0,0 +1 @@\n+x\n";
    expect(parsePatch(epoch)).toMatchObject([{ oldName: null, newName: "f", isNew: true }]);
  });

  it("reads quoted names and takes directories off", () => {
    const quoted = '--- "a/t\\303\\244b\\t"\n+++ "b/t\\303\\244b\\t"\n@@ -1 +1 @@\n-a\n+b\n';
    expect(parsePatch(quoted)).toMatchObject([{ oldName: "täb\t", newName: "täb\t" }]);
    expect(parsePatch(quoted, { strip: 0 })).toMatchObject([{ newName: "b/täb\t" }]);
  });

  it.each([
    ["@@ -1 +1 @@\n-a\n+b\n", "patch fragment without header at line 1: @@ -1 +1 @@", 1],
    ["--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-a\n+b\n", "corrupt patch at line 6", 6],
    ["--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n*b\n", "corrupt patch at line 5", 5],
    ["diff --git a/f b/f\nindex 1..2\n--- a/f\n+++ b/f\n", "patch with only garbage at line 5", 5],
    ["--- a/f\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "deleted file f still has contents", 6],
  ])("refuses %j", (patch, message, line) => {
    expect(() => parsePatch(patch)).toThrow(new PatchError(message, line));
  });

  it("survives patches with parts cut out, doubled and changed", () => {
    const seeds = [
      git,
      git.replaceAll("\n", () => "\r\n"),
      `GIT binary patch\nliteral 3\nKcmZQzWMT#Y01f~L\n\n`,
      "--- \n+++ \n@@ -",
    ];
    let state = 7;
    const below = (limit: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    for (let round = 0; round < 3000; round++) {
      let patch = seeds[below(seeds.length)] as string;
      for (let edits = 1 + below(6); edits > 0; edits--) {
        const [at, length] = [below(patch.length + 1), below(20)];
        const piece = [
          "",
          patch.slice(at, at + length).repeat(3),
          String.fromCharCode(below(300)),
          "@@ -1 +1 @@\n",
          "0".repeat(30),
        ];
        patch = patch.slice(0, at) + piece[below(piece.length)] + patch.slice(at + length);
      }
      try {
        for (const file of parsePatch(patch, { recount: below(2) === 0 }))
          applyHunks(bytes("one\ntwo\nthree"), file.hunks);
      } catch (error) {
        if (!(error instanceof PatchError)) throw error;
      }
    }
  });
});

describe("applyHunks", () => {
  const hunks = (patch: string) => parsePatch(`--- a/f\n+++ b/f\n${patch}`)[0]?.hunks ?? [];
  const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join("");

  it("finds a hunk that moved, and says where it went", () => {
    const moved = applyHunks(bytes(lines(1, 9)), hunks("@@ -2,3 +2,3 @@\n 5\n-6\n+six\n 7\n"));
    expect(text(moved.content)).toBe(lines(1, 9).replace("6", () => "six"));
    expect(moved.hunks).toMatchObject([{ at: 4, expected: 1 }]);
  });

  it("prefers the place below when one above is as near", () => {
    const both = "1\nx\ny\n4\n5\nx\ny\n8\n";
    const hunk = hunks("@@ -4,2 +4,2 @@\n x\n-y\n+Y\n").map((one) => ({ ...one, trailing: 1 }));
    expect(applyHunks(bytes(both), hunk).hunks).toMatchObject([{ at: 5, expected: 3 }]);
    expect(
      applyHunks(
        bytes(both),
        hunk.map((one) => ({ ...one, newStart: 3 })),
      ).hunks,
    ).toMatchObject([{ at: 1 }]);
  });

  it("turns hunks around", () => {
    const back = applyHunks(bytes("a\nB\nc\n"), hunks("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"), { reverse: true });
    expect(text(back.content)).toBe("a\nb\nc\n");
  });

  it("stops at the first hunk that fails, or goes on when told", () => {
    const two = hunks("@@ -1,2 +1,2 @@\n-x\n+y\n 2\n@@ -5,3 +5,3 @@\n 5\n-6\n+six\n 7\n");
    expect(applyHunks(bytes(lines(1, 9)), two).hunks.map(({ at }) => at)).toEqual([null]);
    const rest = applyHunks(bytes(lines(1, 9)), two, { reject: true });
    expect(rest.hunks.map(({ at }) => at)).toEqual([null, 4]);
  });

  it("reduces context only as far as told", () => {
    const off = hunks("@@ -4,5 +4,5 @@\n 4\n 5\n-6\n+six\n 7\n x\n");
    expect(applyHunks(bytes(lines(1, 9)), off).hunks[0]?.at).toBeNull();
    expect(applyHunks(bytes(lines(1, 9)), off, { context: 1 }).hunks[0]).toMatchObject({
      leading: 1,
      trailing: 1,
      at: 4,
    });
  });
});
