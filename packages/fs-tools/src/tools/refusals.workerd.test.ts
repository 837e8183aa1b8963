/** The guards of the tools, one by one: each call fails with its own message, and every file is unchanged. */
import { describe, expect, it } from "vitest";
import { type Inside, inWorkspace } from "../../test/in-workspace.ts";
import { InMemoryFileStore } from "../store/in-memory-file-store.ts";
import { createToolset } from "../toolset/create-toolset.ts";
import { applyEdits } from "./edit/apply-edits.ts";

const FILES = { "a.txt": "one\ntwo\n", "b.txt": "b\n", "d/c.txt": "c\n", "long.txt": `${"x".repeat(200)}\n` };

async function everything({ fs }: Inside): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { path, type } of await fs.find("/workspace", { minDepth: 1 }))
    found[path] = type === "file" ? await fs.readFile(path, "utf8") : type;
  return found;
}

const edit = { oldText: "one", newText: "1" };
/** Each changes something, both together nothing. */
const SHIFTED = [
  { oldText: "one", newText: "one\n" },
  { oldText: "\ntwo", newText: "two" },
];
const hunk = "@@ -1,2 +1,2 @@\n-one\n+1\n two\n";
const block = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe("a call that is refused changes nothing", () => {
  it.each<[tool: string, input: Record<string, unknown>, code: string, message: RegExp]>([
    ["move", { from: "/workspace", to: "d/all" }, "EBUSY", /is the root/],
    ["copy", { from: ".", to: "/workspace/d/all" }, "EBUSY", /is the root/],
    ["move", { from: "a.txt", to: "d", overwrite: true }, "EEXIST", /is a directory that exists/],
    ["copy", { from: "d", to: "d/c.txt/x" }, "EINVAL", /inside it/],
    ["move", { from: "nosuch", to: "x" }, "ENOENT", /There is nothing at/],
    ["delete", { path: "nosuch" }, "ENOENT", /There is nothing at/],
    ["info", { path: "nosuch" }, "ENOENT", /There is nothing at/],
    ["list", { path: "nosuch" }, "ENOENT", /There is no directory/],
    ["edit", { path: "d", oldString: "a", newString: "b" }, "EISDIR", /is a directory/],
    ["edit", { path: "a.txt" }, "INVALID_INPUT", /Give edits, or oldString and newString\./],
    ["edit", { path: "a.txt", oldString: "one" }, "INVALID_INPUT", /belong together/],
    ["edit", { path: "a.txt", newString: "one" }, "INVALID_INPUT", /belong together/],
    ["edit", { path: "a.txt", oldString: "one", newString: "1", edits: [edit] }, "INVALID_INPUT", /not both/],
    ["edit", { path: "a.txt", edits: [edit], replaceAll: true }, "INVALID_INPUT", /replaceAll goes with/],
    ["edit", { path: "a.txt", edits: [{ ...edit, newText: "one" }] }, "NO_CHANGE", /its replacement/],
    ["edit", { path: "a.txt", edits: SHIFTED }, "NO_CHANGE", /as it is/],
    ["read", { path: "x".repeat(5000) }, "INVALID_INPUT", /at most 4096/],
    ["find", { newer: "yesterday" }, "INVALID_INPUT", /is not a time/],
    ["apply_patch", { patch: `--- a/d\n+++ b/d\n${hunk}` }, "EISDIR", /is a directory/],
    ["apply_patch", { patch: block("*** Add File: b.txt", "+new") }, "PATCH_FAILED", /exists already/],
    ["apply_patch", { patch: block("*** Update File: a.txt") }, "PATCH_CORRUPT", /has no lines/],
    ["apply_patch", { patch: block("*** Update File: a.txt", "@@ nosuch", "-one", "+1") }, "PATCH_FAILED", /nosuch/],
    [
      "apply_patch",
      { patch: block("*** Update File: a.txt", "@@", "-one", "+1", "*** Update File: ./a.txt", "@@", "-two", "+2") },
      "PATCH_FAILED",
      /appears in the patch twice/,
    ],
    [
      "apply_patch",
      { patch: block("*** Update File: a.txt", "*** Move to: x.txt", "*** Update File: a.txt", "@@", "-two", "+2") },
      "PATCH_FAILED",
      /appears in the patch twice/,
    ],
    [
      "apply_patch",
      { path: "a.txt", patch: `--- a/a.txt\n+++ b/a.txt\n${hunk}--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+c\n` },
      "INVALID_INPUT",
      /that file alone/,
    ],
    [
      "apply_patch",
      {
        patch:
          "diff --git a/a.txt b/a.txt\ndeleted file mode 100644\n--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n",
      },
      "PATCH_FAILED",
      /more lines than the patch deletes/,
    ],
    [
      "apply_patch",
      { patch: "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n" },
      "PATCH_FAILED",
      /symbolic link/,
    ],
    [
      "apply_patch",
      { patch: "diff --git a/a.txt b/a.txt\nindex 1..2 100644\nBinary files a/a.txt and b/a.txt differ\n" },
      "PATCH_FAILED",
      /binary/,
    ],
  ])("%s %j is %s", (tool, input, code, message) =>
    inWorkspace(
      async (inside) => {
        const before = await everything(inside);
        const { structured, content } = await inside.toolset.handle(tool, input);
        expect((structured.error as { code: string } | undefined)?.code, JSON.stringify(content)).toBe(code);
        expect(JSON.stringify(content)).toMatch(message);
        expect(await everything(inside)).toEqual(before);
      },
      {},
      FILES,
    ),
  );

  it("a proposal holds no more than a write", () =>
    inWorkspace(
      async ({ call, refused }) => {
        expect(await refused("copy", { from: "long.txt", to: "other.txt" })).toBe("TOO_LARGE");
        await call("copy", { from: "a.txt", to: "other.txt" });
      },
      { mode: "propose", limits: { writeBytes: 100 } },
      FILES,
    ));

  it("links that lead on for ever are told", () =>
    inWorkspace(async ({ fs, refused }) => {
      for (let i = 0; i < 60; i++) await fs.symlink(`l${i + 1}`, `/workspace/l${i}`);
      expect(await refused("write", { path: "l0", content: "x" })).toBe("ELOOP");
      expect(await fs.exists("/workspace/l60")).toBe(false);
    }));
});

describe("what is not given to a toolset", () => {
  it("createToolset refuses a root that is relative and a cwd outside of it", async () => {
    const store = new InMemoryFileStore();
    await expect(createToolset({ store, root: "here" })).rejects.toThrow("root must be an absolute path");
    await expect(createToolset({ store, root: "/a", cwd: "/b" })).rejects.toThrow("cwd must be inside /a");
  });

  it("applyEdits takes no edits at all, too many, and half a character not", () => {
    expect(() => applyEdits("one", [])).toThrow("edits is empty");
    expect(() =>
      applyEdits(
        "one",
        Array.from({ length: 1001 }, () => edit),
      ),
    ).toThrow("At most 1000 edits");
    expect(() => applyEdits("one", [{ oldText: "one", newText: "\ud800" }])).toThrow("half a surrogate pair");
  });

  it("InMemoryFileStore refuses what is no path of a file, and to remove what is not there", async () => {
    const store = new InMemoryFileStore();
    for (const path of ["a", "/a/"])
      await expect(store.write(path, new Uint8Array(1))).rejects.toMatchObject({ code: "EINVAL" });
    await expect(store.remove("/nosuch")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
