/** Every verb in every bad situation: the code, and Node's `syscall`, `path` and `dest`. */
import type { FileSystem } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { type Make, shape, testsOn } from "./subject.ts";

type Verb = (fs: FileSystem, path: string, good: string) => Promise<unknown>;

/** Each verb with Node's name of the system call; `good` is a path that works, for verbs that take two. */
const VERBS: Record<string, { syscall: string; call: Verb; two?: "from" | "to" }> = {
  readFile: { syscall: "open", call: (fs, path) => fs.readFile(path) },
  "writeFile r+": { syscall: "open", call: (fs, path) => fs.writeFile(path, "", { flag: "r+" }) },
  open: { syscall: "open", call: (fs, path) => fs.open(path, "r") },
  read: { syscall: "open", call: (fs, path) => fs.read(path) },
  readStream: { syscall: "open", call: (fs, path) => fs.readStream(path) },
  readRange: { syscall: "open", call: (fs, path) => fs.readRange(path, 0, 1) },
  readdir: { syscall: "scandir", call: (fs, path) => fs.readdir(path) },
  scan: { syscall: "scandir", call: (fs, path) => fs.scan(path) },
  opendir: { syscall: "opendir", call: (fs, path) => fs.opendir(path) },
  stat: { syscall: "stat", call: (fs, path) => fs.stat(path) },
  access: { syscall: "access", call: (fs, path) => fs.access(path) },
  chmod: { syscall: "chmod", call: (fs, path) => fs.chmod(path, 0o600) },
  utimes: { syscall: "utime", call: (fs, path) => fs.utimes(path, 1, 1) },
  truncate: { syscall: "open", call: (fs, path) => fs.truncate(path, 0) },
  realpath: { syscall: "realpath", call: (fs, path) => fs.realpath(path) },
  statfs: { syscall: "statfs", call: (fs, path) => fs.statfs(path) },
  "copyFile from": { syscall: "copyfile", two: "from", call: (fs, path, good) => fs.copyFile(path, `${good}-new`) },
};

/** Verbs that act on the last name itself, and do not follow it. */
const LINK_VERBS: typeof VERBS = {
  lstat: { syscall: "lstat", call: (fs, path) => fs.lstat(path) },
  readlink: { syscall: "readlink", call: (fs, path) => fs.readlink(path) },
  unlink: { syscall: "unlink", call: (fs, path) => fs.unlink(path) },
  rmdir: { syscall: "rmdir", call: (fs, path) => fs.rmdir(path) },
  rm: { syscall: "lstat", call: (fs, path) => fs.rm(path) },
  "rm recursive": { syscall: "lstat", call: (fs, path) => fs.rm(path, { recursive: true }) },
  lutimes: { syscall: "lutime", call: (fs, path) => fs.lutimes(path, 1, 1) },
  "rename from": { syscall: "rename", two: "from", call: (fs, path, good) => fs.rename(path, `${good}-new`) },
  "link from": { syscall: "link", two: "from", call: (fs, path, good) => fs.link(path, `${good}-new`) },
  cp: { syscall: "lstat", call: (fs, path, good) => fs.cp(path, `${good}-new`) },
};

/** Verbs that make the last name: only their parents can be missing. */
const MAKING_VERBS: typeof VERBS = {
  writeFile: { syscall: "open", call: (fs, path) => fs.writeFile(path, "") },
  "writeFile wx": { syscall: "open", call: (fs, path) => fs.writeFile(path, "", { flag: "wx" }) },
  appendFile: { syscall: "open", call: (fs, path) => fs.appendFile(path, "") },
  "open a": { syscall: "open", call: (fs, path) => fs.open(path, "a") },
  mkdir: { syscall: "mkdir", call: (fs, path) => fs.mkdir(path) },
  symlink: { syscall: "symlink", two: "to", call: (fs, path) => fs.symlink("target", path) },
  "link to": { syscall: "link", two: "to", call: (fs, path, good) => fs.link(good, path) },
  "rename to": { syscall: "rename", two: "to", call: (fs, path, good) => fs.rename(good, path) },
  "copyFile to": { syscall: "copyfile", two: "to", call: (fs, path, good) => fs.copyFile(good, path) },
};

const LONG = "n".repeat(256);
/** What blocks the path, and Linux's error. The last column: also when the verb makes the last name. */
const SITUATIONS: [name: string, path: string, code: string, making: boolean][] = [
  ["nothing there", "none", "ENOENT", false],
  ["a missing parent", "none/x", "ENOENT", true],
  ["two missing parents", "none/y/x", "ENOENT", true],
  ["a file as parent", "file/x", "ENOTDIR", true],
  ["a file further up", "file/y/x", "ENOTDIR", true],
  ["a link to a file as parent", "to-file/x", "ENOTDIR", true],
  ["a dangling link as parent", "dangling/x", "ENOENT", true],
  ["a loop as parent", "loop/x", "ELOOP", true],
  ["a name too long", LONG, "ENAMETOOLONG", true],
  ["a parent's name too long", `${LONG}/x`, "ENAMETOOLONG", true],
  ["a file before ..", "file/../other", "ENOTDIR", true],
  ["nothing before ..", "none/../other", "ENOENT", true],
];
const FOLLOWED: typeof SITUATIONS = [
  ["a dangling link", "dangling", "ENOENT", false],
  ["a loop", "loop", "ELOOP", false],
  ["a link through a file", "through", "ENOTDIR", false],
];

export function errorsContract(make: Make): void {
  const it = testsOn(make);
  const check = (verbs: typeof VERBS, situations: typeof SITUATIONS) => {
    for (const [name, { syscall, call, two }] of Object.entries(verbs)) {
      it(`${name} fails with Node's code, syscall and path in every bad situation`, async ({ fs, root }) => {
        await furnish(fs, root);
        const before = await shape(fs, root);
        const actual: Record<string, unknown> = {};
        const expected: Record<string, unknown> = {};
        for (const [situation, relative, code] of situations) {
          const path = `${root}/${relative}`;
          const good = `${root}/file`;
          actual[situation] = await call(fs, path, good).then(
            () => "it succeeded",
            (error: Record<string, unknown>) => [error.code, error.syscall, error.path, error.dest],
          );
          if (two === "from") expected[situation] = [code, syscall, path, `${good}-new`];
          else if (two === "to") expected[situation] = [code, syscall, name === "symlink" ? "target" : good, path];
          else expected[situation] = [code, syscall, path, undefined];
        }
        expect(actual).toEqual(expected);
        expect(await shape(fs, root)).toEqual(before);
      });
    }
  };

  describe("errors", () => {
    check(VERBS, [...SITUATIONS, ...FOLLOWED]);
    check(LINK_VERBS, SITUATIONS);
    check(
      MAKING_VERBS,
      SITUATIONS.filter(([, , , making]) => making),
    );

    it("errors are Errors whose message names code, syscall and path", async ({ fs, root }) => {
      const error = await fs.stat(`${root}/none`).catch((reason: Error) => reason);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toBe(`ENOENT: no such file or directory, stat '${root}/none'`);
      const two = await fs.rename(`${root}/none`, `${root}/x`).catch((reason: Error) => reason);
      expect((two as Error).message).toBe(`ENOENT: no such file or directory, rename '${root}/none' -> '${root}/x'`);
    });
  });
}

async function furnish(fs: FileSystem, root: string): Promise<void> {
  await fs.writeFile(`${root}/file`, "content");
  await fs.symlink("file", `${root}/to-file`);
  await fs.symlink("nowhere", `${root}/dangling`);
  await fs.symlink("loop", `${root}/loop`);
  await fs.symlink("file/x", `${root}/through`);
}
