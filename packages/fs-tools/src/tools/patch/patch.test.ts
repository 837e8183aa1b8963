import { describe, expect, it } from "vitest";
import { codeOfResult } from "../../../test/code-of-result.ts";
import { InMemoryFileStore } from "../../store/in-memory-file-store.ts";
import { createToolset } from "../../toolset/create-toolset.ts";

async function patched(files: Record<string, string>, input: Record<string, unknown>) {
  const store = new InMemoryFileStore(files);
  const toolset = await createToolset({ store });
  const result = await toolset.handle("apply_patch", input);
  const after: Record<string, string> = {};
  for (const path of store.paths()) after[path] = new TextDecoder().decode((await store.read(path))!);
  return { result, after };
}

describe("apply_patch, unified", () => {
  it("takes the tool::* family's example: bare hunks with wrong counts", async () => {
    const patch = `@@ -1,3 +1,3 @@\n-const version = "1.0.0";\n+const version = "1.1.0";\n`;
    const { result, after } = await patched(
      { "/src/version.ts": 'const version = "1.0.0";\n' },
      { path: "src/version.ts", patch },
    );
    expect(result.structured).toMatchObject({
      patched: true,
      path: "/src/version.ts",
      files: [{ op: "update", added: 1, removed: 1 }],
    });
    expect(after["/src/version.ts"]).toBe('const version = "1.1.0";\n');
  });

  it("a count that is too small leaves no line of the patch out", async () => {
    for (const header of ["@@ -1,2 +1,2 @@", "@@ -1,1 +1,1 @@", "@@ -1 +1 @@", "@@ -1,9 +1,9 @@"]) {
      const patch = `${header}\n-one\n+1\n-two\n+2\n three\n-four\n+4\n`;
      const { after } = await patched({ "/f": "one\ntwo\nthree\nfour\n" }, { path: "f", patch });
      expect([header, after["/f"]]).toEqual([header, "1\n2\nthree\n4\n"]);
    }
  });

  it("takes a patch in CRLF, for a file in either ending, and deletions among them", async () => {
    const crlf = (text: string) => text.replaceAll("\n", "\r\n");
    const update = crlf("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n--- two\n+2\n three\n");
    const before = "one\n-- two\nthree\n";
    for (const file of [before, crlf(before)]) {
      const { result, after } = await patched({ "/f": file }, { patch: update });
      expect([result.isError, after["/f"]]).toEqual([undefined, file.replace("-- two", "2")]);
    }
    const moved = await patched(
      { "/f": crlf(before) },
      { patch: crlf("diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n") },
    );
    expect(moved.after).toEqual({ "/g": crlf(before) });
    const gone = await patched(
      { "/f": before },
      { patch: crlf("--- a/f\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n--- two\n-three\n") },
    );
    expect(gone.after).toEqual({});
  });

  it("says what is not seen when a hunk's text is right", async () => {
    const patch = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
    const { result, after } = await patched({ "/f": "one\ntwo" }, { patch });
    expect(result.content).toContain("the file has no newline at its end: write `\\ No newline at end of file`");
    expect(after["/f"]).toBe("one\ntwo");
    const ended = "\n\\ No newline at end of file\n";
    const marked = `--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two${ended}+2${ended}`;
    expect((await patched({ "/f": "one\ntwo" }, { patch: marked })).after["/f"]).toBe("one\n2");
    const mixed = await patched({ "/f": "one\r\ntwo\nthree\r\n" }, { patch });
    expect(mixed.result.content).toContain("the lines are the same, but end otherwise");
  });

  it("takes hunks without numbers for the file that path names, and for no other", async () => {
    const files = { "/f": "one\ntwo\n", "/g": "x\n" };
    const { after } = await patched(files, { path: "f", patch: "@@\n-two\n+2  \n" });
    expect(after).toEqual({ "/f": "one\n2  \n", "/g": "x\n" });
    for (const input of [
      { path: "f", patch: "@@\n-two\n+2\n*** Delete File: g\n" },
      { path: "f\n*** Delete File: g", patch: "@@\n-two\n+2\n" },
    ]) {
      const refused = await patched(files, input);
      expect([refused.result.isError, refused.after]).toEqual([true, files]);
    }
  });

  it("changes several files, creates, deletes and renames in one go", async () => {
    const patch = [
      "diff --git a/a b/a",
      "--- a/a",
      "+++ b/a",
      "@@ -1,2 +1,2 @@",
      " one",
      "-two",
      "+2",
      "diff --git a/b b/c",
      "similarity index 100%",
      "rename from b",
      "rename to c",
      "diff --git a/new/file b/new/file",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/new/file",
      "@@ -0,0 +1 @@",
      "+fresh",
      "--- a/gone",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-bye",
      "",
    ].join("\n");
    const { result, after } = await patched({ "/a": "one\ntwo\n", "/b": "same\n", "/gone": "bye\n" }, { patch });
    expect(result.isError).toBeUndefined();
    expect(after).toEqual({ "/a": "one\n2\n", "/c": "same\n", "/new/file": "fresh\n" });
  });

  it("applies LF hunks to a CRLF file", async () => {
    const { after } = await patched(
      { "/a": "one\r\ntwo\r\n" },
      { path: "a", patch: "@@ -1,2 +1,2 @@\n one\n-two\n+2\n" },
    );
    expect(after["/a"]).toBe("one\r\n2\r\n");
  });

  it("changes nothing when a hunk fails, and says which line diverges", async () => {
    const patch =
      "--- a/ok\n+++ b/ok\n@@ -1 +1 @@\n-x\n+y\n--- a/bad\n+++ b/bad\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
    const files = { "/ok": "x\n", "/bad": "one\nTWO\nthree\n" };
    const { result, after } = await patched(files, { patch });
    expect(after).toEqual(files);
    expect(codeOfResult(result)).toBe("PATCH_FAILED");
    expect(result.content).toContain('expects "two", but line 2 is "TWO"');
  });

  it.each([
    ["no patch at all", "PATCH_CORRUPT"],
    ["--- a/a\n+++ b/a\n@@ nonsense\n", "PATCH_CORRUPT"],
    ["--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n", "PATCH_FAILED"],
    ["--- a/../../etc/x\n+++ b/../../etc/x\n@@ -1 +1 @@\n-a\n+b\n", "PATCH_FAILED"],
    ["--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+b\n", "PATCH_FAILED"],
  ])("refuses %j", async (patch, code) => {
    const { result, after } = await patched({ "/a": "a\n" }, { patch });
    expect([codeOfResult(result), after]).toEqual([code, { "/a": "a\n" }]);
  });

  it("refuses, as git does, a hunk that belongs at the start or the end of a file and does not stand there", async () => {
    const files = { "/f": "a\nb\nc\n" };
    for (const patch of ["@@ -1,2 +1,2 @@\n-b\n+B\n c\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n"]) {
      const { result, after } = await patched(files, { path: "f", patch });
      expect([patch, codeOfResult(result), after]).toEqual([patch, "PATCH_FAILED", files]);
    }
  });

  it("says of hunks alone that they need a path", async () => {
    const { result } = await patched({ "/f": "a\n" }, { patch: "@@ -1 +1 @@\n-a\n+b\n" });
    expect(result.content).toContain("These are hunks alone: pass path to say which file they are for.");
  });

  it("refuses a file that is too large before or after, and too many of them, and changes nothing", async () => {
    const store = new InMemoryFileStore({ "/a": "0123456789\n", "/big": "x".repeat(21) });
    const toolset = await createToolset({ store, limits: { editBytes: 20, patchFiles: 1 } });
    const code = async (patch: string, path?: string) =>
      codeOfResult(await toolset.handle("apply_patch", { patch, ...(path === undefined ? {} : { path }) }));
    expect(await code("@@ -1 +1 @@\n-0123456789\n+01234567890123456789\n", "a")).toBe("TOO_LARGE");
    expect(await code("@@ -1 +1 @@\n-x\n+y\n", "big")).toBe("TOO_LARGE");
    expect(await code("--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+b\n--- /dev/null\n+++ b/c\n@@ -0,0 +1 @@\n+c\n")).toBe(
      "TOO_LARGE",
    );
    expect(store.paths()).toEqual(["/a", "/big"]);
    expect(
      (await toolset.handle("apply_patch", { path: "a", patch: "@@ -1 +1 @@\n-0123456789\n+0123456789012345678\n" }))
        .isError,
    ).toBeUndefined();
  });
});

describe("apply_patch, *** Begin Patch", () => {
  it("adds, updates, moves and deletes", async () => {
    const patch = [
      "*** Begin Patch",
      "*** Add File: new.txt",
      "+hello",
      "+world",
      "*** Update File: src/app.py",
      "*** Move to: src/main.py",
      "@@ def greet():",
      '-print("Hi")',
      '+print("Hello, $&!")',
      "*** Delete File: old.txt",
      "*** End Patch",
    ].join("\n");
    const { result, after } = await patched(
      { "/src/app.py": 'def greet():\nprint("Hi")\n', "/old.txt": "x\n" },
      { patch },
    );
    expect(result.isError).toBeUndefined();
    expect(after).toEqual({ "/new.txt": "hello\nworld\n", "/src/main.py": 'def greet():\nprint("Hello, $&!")\n' });
  });

  it("finds its chunks one after the other, tolerates outer space, and keeps CRLF", async () => {
    const patch =
      "*** Begin Patch\n*** Update File: a\n@@\n x\n-y\n+Y1\n@@\n x\n-y\n+Y2\n*** End of File\n*** End Patch\n";
    const { after } = await patched({ "/a": "x\r\ny\r\nx\r\n  y \r\n" }, { patch });
    expect(after["/a"]).toBe("x\r\nY1\r\nx\r\nY2\r\n");
  });

  it("is all or nothing, and says what is not there", async () => {
    const patch = "*** Begin Patch\n*** Add File: n\n+n\n*** Update File: a\n@@\n one\n-two\n+2\n*** End Patch";
    const { result, after } = await patched({ "/a": "one\nthree\n" }, { patch });
    expect(after).toEqual({ "/a": "one\nthree\n" });
    expect(result.content).toContain('has no "two"');
  });

  it.each([
    "*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n",
    "*** Begin Patch\nnonsense\n*** End Patch",
    "*** Begin Patch\n*** Add File: b\nno plus\n*** End Patch",
    "*** Begin Patch\n*** Update File: a\n@@\n?a\n*** End Patch",
    "*** Begin Patch\n*** End Patch",
  ])("refuses %j as corrupt", async (patch) => {
    const { result, after } = await patched({ "/a": "a\n" }, { patch });
    expect([codeOfResult(result), after]).toEqual(["PATCH_CORRUPT", { "/a": "a\n" }]);
  });
});
