import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { GitError } from "../errors.ts";
import { createGit, type Git } from "./create-git.ts";

let folder = "";
let git: Git;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "git-methods-"));
  git = createGit({
    fs: createNodeFileSystem(),
    now: () => 1_700_000_000_000,
    identity: { name: "Work Space", email: "ws@example.com" },
    cwd: folder,
  });
  await git.init({ initialBranch: "main" });
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, content: string) => writeFileSync(join(folder, path), content);

describe("createGit", () => {
  it("stages, commits, and tells of it", async () => {
    write("a.txt", "one\n");
    expect(await git.status()).toMatchObject({
      branch: "main",
      head: null,
      clean: false,
      entries: [{ path: "a.txt", index: "?", worktree: "?" }],
    });
    await git.add({ paths: ["a.txt"] });
    const { oid } = await git.commit({ message: "first\n\nwith a body\n" });
    expect(await git.status()).toMatchObject({ branch: "main", head: oid, clean: true, entries: [] });
    expect(await git.log()).toMatchObject([
      {
        oid,
        tree: expect.stringMatching(/^[0-9a-f]{40}$/),
        parents: [],
        author: { name: "Work Space", email: "ws@example.com", seconds: 1_700_000_000, zone: "+0000" },
        committer: { name: "Work Space", email: "ws@example.com", seconds: 1_700_000_000, zone: "+0000" },
        refs: ["HEAD -> main"],
        subject: "first",
        message: "first\n\nwith a body\n",
      },
    ]);
    expect(await git.resolve({ revision: "HEAD" })).toBe(oid);
    expect(await git.resolve({ revision: "nothing" })).toBeNull();
    expect(new TextDecoder().decode(await git.read({ path: "a.txt" }))).toBe("one\n");
    expect(await git.refs()).toMatchObject([{ name: "refs/heads/main", oid, type: "commit", current: true }]);
  });

  it("reads a stream line by line, and lets other commands at the repository while it waits for the next", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    let heard: (text: string) => void = () => {};
    const answer = () => new Promise<string>((resolve) => (heard = resolve));
    const running = git.cli({
      argv: ["cat-file", "--batch-check=%(objecttype)"],
      stdin: readable,
      onStdout: (data) => heard(new TextDecoder().decode(data)),
    });
    const first = answer();
    await writer.write(new TextEncoder().encode("HEAD\n"));
    expect(await first).toBe("HEAD missing\n");
    await git.commit({ message: "first", allowEmpty: true });
    const second = answer();
    await writer.write(new TextEncoder().encode("HEAD\n"));
    expect(await second).toBe("commit\n");
    await writer.close();
    expect((await running).exitCode).toBe(0);
  });

  it.each([1, 2, 3, 7, 1000])("takes stdin in pieces of %s bytes as it takes it whole", async (size) => {
    await git.commit({ message: "first", allowEmpty: true });
    const cases: [argv: string[], input: string][] = [
      [["cat-file", "--batch-check"], "HEAD\nnöthing\nHEAD^{tree}"],
      [["check-attr", "--stdin", "-z", "text"], "a\0b\nc\0"],
      [["check-ignore", "--stdin", "-v", "-n"], 'a\n"b\\tc"\n\u00e9\n'],
      [["rev-list", "--stdin", "--count"], "HEAD\n--\na\n"],
      [["update-ref", "--stdin"], "start\ncreate refs/heads/x HEAD\ncommit\nstart\ndelete refs/heads/x\ncommit\n"],
      [["stripspace"], "a  \n\n\nb\u00e9"],
      [["shortlog"], "Author: A <a@x>\n\n    one\n\nAuthor: B <b@x>\nDate: x\n\n    two\n"],
    ];
    for (const [argv, input] of cases) {
      const bytes = new TextEncoder().encode(input);
      const pieces = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
      };
      expect([argv, await git.cli({ argv, stdin: pieces() })]).toEqual([argv, await git.cli({ argv, stdin: input })]);
    }
  });

  it("compares and searches", async () => {
    write("a.txt", "one\ntwo\n");
    write("b.txt", "gone\n");
    await git.add({ all: true });
    await git.commit({ message: "first" });
    write("a.txt", "one\nTWO\n");
    await git.remove({ paths: ["b.txt"] });
    expect((await git.diff({ from: "HEAD" })).files).toMatchObject([
      { path: "a.txt", status: "M", added: 1, deleted: 1 },
      { path: "b.txt", status: "D", added: 0, deleted: 1 },
    ]);
    const { patch } = await git.diff({ paths: ["a.txt"], context: 0 });
    expect(patch).toContain("@@ -2 +2 @@ one\n-two\n+TWO\n");
    expect(await git.grep({ pattern: "T[W]O" })).toMatchObject([{ path: "a.txt", line: 2, column: 1, text: "TWO" }]);
    expect(await git.grep({ pattern: "two", revision: "HEAD" })).toMatchObject([
      { path: "a.txt", line: 2, column: 1, text: "two" },
    ]);
    expect(await git.grep({ pattern: "nothing" })).toEqual([]);
  });

  it("keeps configuration", async () => {
    await git.setConfig({ key: "user.name", value: "Someone Else" });
    expect(await git.getConfig({ key: "user.name" })).toEqual(["Someone Else"]);
    await git.setConfig({ key: "user.name", value: null });
    expect(await git.getConfig({ key: "user.name" })).toEqual([]);
  });

  it("throws what git would have said", async () => {
    await expect(git.commit({ message: "empty" })).rejects.toThrow("nothing to commit");
    const missing = await git.log({ revisions: ["nosuch"] }).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(GitError);
    expect(missing).toMatchObject({ message: "bad revision 'nosuch'", exitCode: 128 });
    await expect(git.log({ revisions: ["--all"] })).rejects.toThrow("bad revision '--all'");
    await expect(git.read({ path: "nosuch" })).rejects.toThrow(GitError);
  });

  it("runs one command at a time per repository", async () => {
    write("a.txt", "1");
    await Promise.all(Array.from({ length: 8 }, () => git.add({ all: true })));
    expect((await git.status()).entries).toMatchObject([{ path: "a.txt", index: "A", worktree: "." }]);
  });
});
