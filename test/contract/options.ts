/**
 * Every option of every verb of Node's `fs/promises`: each works as in Node, or is refused with its name. The compiler holds the lists to Node's own types, so an option that Node adds is a compile error until it has an entry.
 */
import type { Abortable } from "node:events";
import type {
  CopyOptions,
  GlobOptions,
  MakeDirectoryOptions,
  ObjectEncodingOptions,
  OpenDirOptions,
  RmDirOptions,
  RmOptions,
  StatFsOptions,
  StatOptions,
} from "node:fs";
import type * as node from "node:fs/promises";
import type { FileSystem } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { fails, type Make, testsOn, text } from "./subject.ts";

type Subject = { fs: FileSystem; root: string };
/** What shows that it works, on `node:fs` too; or values that ours refuses. */
type Decision = ((subject: Subject) => Promise<void>) | { refuses: unknown[] };

interface NodeOptions {
  readFile: ObjectEncodingOptions & Abortable & { flag?: unknown; buffer?: unknown };
  writeFile: ObjectEncodingOptions & Abortable & { flag?: unknown; mode?: unknown; flush?: unknown };
  appendFile: ObjectEncodingOptions & { flag?: unknown; mode?: unknown; flush?: unknown };
  mkdir: MakeDirectoryOptions;
  mkdtemp: ObjectEncodingOptions;
  mkdtempDisposable: ObjectEncodingOptions;
  readdir: ObjectEncodingOptions & { withFileTypes?: unknown; recursive?: unknown };
  opendir: OpenDirOptions;
  stat: StatOptions;
  lstat: StatOptions;
  statfs: StatFsOptions;
  rm: RmOptions;
  rmdir: RmDirOptions;
  cp: CopyOptions;
  readlink: ObjectEncodingOptions;
  realpath: ObjectEncodingOptions;
  glob: GlobOptions;
  watch: NonNullable<Exclude<Parameters<typeof node.watch>[1], string>>;
}

/** Verbs whose last argument is no object of options; `open`, `access`, `copyFile` and `symlink` have their own tests. */
type WithoutOptions =
  | "access"
  | "chmod"
  | "copyFile"
  | "link"
  | "lutimes"
  | "open"
  | "rename"
  | "symlink"
  | "truncate"
  | "unlink"
  | "utimes";
/** There is one owner, and links have no mode of their own. */
type Absent = "chown" | "lchown" | "lchmod" | "constants";

type Verb = Exclude<keyof typeof node, WithoutOptions | Absent>;
type Decisions = { [V in Verb]: { [O in keyof Required<NodeOptions[V]>]: Decision } };

const refuses = (...values: unknown[]): Decision => ({ refuses: values });
/** Names are text. */
const textOnly = refuses("buffer", "hex", "latin1", "nonsense", 5);

const decisions: Decisions = {
  readFile: {
    async encoding({ fs, root }) {
      await fs.writeFile(`${root}/f`, "abc");
      expect(await fs.readFile(`${root}/f`, { encoding: "hex" })).toBe("616263");
      expect(await fs.readFile(`${root}/f`, "base64")).toBe("YWJj");
    },
    async flag({ fs, root }) {
      await fs.writeFile(`${root}/f`, "abc");
      expect(await fs.readFile(`${root}/f`, { flag: "r+", encoding: "utf8" })).toBe("abc");
      expect(await fs.readFile(`${root}/f`, { flag: 0, encoding: "utf8" })).toBe("abc");
      await fails(fs.readFile(`${root}/f`, { flag: "ax+" }), { code: "EEXIST", syscall: "open" });
      await fails(fs.readFile(`${root}/none`, { flag: "r+" }), { code: "ENOENT", syscall: "open" });
      expect((await fs.readFile(`${root}/made`, { flag: "a+" })).length).toBe(0);
      expect(await fs.exists(`${root}/made`)).toBe(true);
      expect(await fs.readFile(`${root}/f`, { flag: "w+", encoding: "utf8" })).toBe("");
      expect((await fs.stat(`${root}/f`)).size).toBe(0);
      await fails(fs.readFile(`${root}/f`, { flag: "w" }), { code: "EBADF", syscall: "read" });
    },
    async signal({ fs, root }) {
      await fs.writeFile(`${root}/f`, "abc");
      const { signal } = new AbortController();
      expect(await fs.readFile(`${root}/f`, { signal, encoding: "utf8" })).toBe("abc");
      await fails(fs.readFile(`${root}/f`, { signal: AbortSignal.abort() }), { code: "ABORT_ERR" });
      await fails(fs.readFile(`${root}/none`, { signal: AbortSignal.abort() }), { code: "ABORT_ERR" });
    },
    buffer: refuses(new Uint8Array(9)),
  },
  writeFile: {
    async encoding({ fs, root }) {
      await fs.writeFile(`${root}/f`, "616263", { encoding: "hex" });
      expect(await text(fs, `${root}/f`)).toBe("abc");
    },
    async flag({ fs, root }) {
      await fs.writeFile(`${root}/f`, "abc");
      await fs.writeFile(`${root}/f`, "d", { flag: "a" });
      await fs.writeFile(`${root}/f`, "X", { flag: 0o2 });
      expect(await text(fs, `${root}/f`)).toBe("Xbcd");
      await fails(fs.writeFile(`${root}/f`, "", { flag: "wx" }), { code: "EEXIST" });
    },
    async mode({ fs, root }) {
      await fs.writeFile(`${root}/f`, "", { mode: 0o600 });
      await fs.writeFile(`${root}/g`, "", { mode: "711" });
      expect([(await fs.stat(`${root}/f`)).mode, (await fs.stat(`${root}/g`)).mode]).toEqual([0o100600, 0o100711]);
    },
    async flush({ fs, root }) {
      await fs.writeFile(`${root}/f`, "abc", { flush: true });
      expect(await text(fs, `${root}/f`)).toBe("abc");
    },
    async signal({ fs, root }) {
      await fails(fs.writeFile(`${root}/f`, "abc", { signal: AbortSignal.abort() }), { code: "ABORT_ERR" });
      expect(await fs.exists(`${root}/f`)).toBe(false);
    },
  },
  appendFile: {
    async encoding({ fs, root }) {
      await fs.appendFile(`${root}/f`, "616263", { encoding: "hex" });
      expect(await text(fs, `${root}/f`)).toBe("abc");
    },
    async flag({ fs, root }) {
      await fs.appendFile(`${root}/f`, "abc", { flag: "ax" });
      await fails(fs.appendFile(`${root}/f`, "abc", { flag: "ax" }), { code: "EEXIST" });
    },
    async mode({ fs, root }) {
      await fs.appendFile(`${root}/f`, "", { mode: 0o600 });
      expect((await fs.stat(`${root}/f`)).mode).toBe(0o100600);
    },
    async flush({ fs, root }) {
      await fs.appendFile(`${root}/f`, "abc", { flush: true });
      expect(await text(fs, `${root}/f`)).toBe("abc");
    },
  },
  mkdir: {
    async recursive({ fs, root }) {
      expect(await fs.mkdir(`${root}/a/b`, { recursive: true })).toBe(`${root}/a`);
      await fails(fs.mkdir(`${root}/a`, { recursive: false }), { code: "EEXIST" });
    },
    async mode({ fs, root }) {
      await fs.mkdir(`${root}/a`, { mode: 0o700 });
      await fs.mkdir(`${root}/b`, "711");
      expect([(await fs.stat(`${root}/a`)).mode, (await fs.stat(`${root}/b`)).mode]).toEqual([0o40700, 0o40711]);
    },
  },
  mkdtemp: { encoding: textOnly },
  mkdtempDisposable: { encoding: textOnly },
  readdir: {
    encoding: textOnly,
    async withFileTypes({ fs, root }) {
      await fs.mkdir(`${root}/d`);
      const [entry] = await fs.readdir(root, { withFileTypes: true });
      expect([entry?.name, entry?.parentPath, entry?.isDirectory()]).toEqual(["d", root, true]);
    },
    async recursive({ fs, root }) {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      expect((await fs.readdir(root, { recursive: true, encoding: "utf8" })).sort()).toEqual(["d", "d/e"]);
    },
  },
  opendir: {
    encoding: textOnly,
    async bufferSize({ fs, root }) {
      for (const name of ["a", "b", "c"]) await fs.writeFile(`${root}/${name}`, "");
      const names: string[] = [];
      for await (const { name } of await fs.opendir(root, { bufferSize: 1 })) names.push(name);
      expect(names.sort()).toEqual(["a", "b", "c"]);
    },
    async recursive({ fs, root }) {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      for (const path of ["a", "d/b", "d/e/c", "z"]) await fs.writeFile(`${root}/${path}`, "");
      await fs.symlink("d", `${root}/l`);
      const paths: string[] = [];
      for await (const { name, parentPath } of await fs.opendir(root, { recursive: true, bufferSize: 2 }))
        paths.push(`${parentPath}/${name}`.slice(root.length + 1));
      expect(paths.sort()).toEqual(["a", "d", "d/b", "d/e", "d/e/c", "l", "z"]);
    },
  },
  stat: { bigint: refuses(true), throwIfNoEntry: refuses(false) },
  lstat: { bigint: refuses(true), throwIfNoEntry: refuses(false) },
  statfs: { bigint: refuses(true) },
  rm: {
    async force({ fs, root }) {
      expect(await fs.rm(`${root}/none`, { force: true })).toBeUndefined();
      await fails(fs.rm(`${root}/none`, { force: false }), { code: "ENOENT" });
    },
    async recursive({ fs, root }) {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      await fs.rm(`${root}/d`, { recursive: true });
      expect(await fs.exists(`${root}/d`)).toBe(false);
    },
    async maxRetries({ fs, root }) {
      await fs.writeFile(`${root}/f`, "");
      await fs.rm(`${root}/f`, { maxRetries: 3 });
      expect(await fs.exists(`${root}/f`)).toBe(false);
    },
    async retryDelay({ fs, root }) {
      await fs.writeFile(`${root}/f`, "");
      await fs.rm(`${root}/f`, { retryDelay: 5 });
      expect(await fs.exists(`${root}/f`)).toBe(false);
    },
  },
  rmdir: {
    recursive: refuses(true),
    async maxRetries({ fs, root }) {
      await fs.mkdir(`${root}/d`);
      await fs.rmdir(`${root}/d`, { maxRetries: 3 });
      expect(await fs.exists(`${root}/d`)).toBe(false);
    },
    async retryDelay({ fs, root }) {
      await fs.mkdir(`${root}/d`);
      await fs.rmdir(`${root}/d`, { retryDelay: 5 });
      expect(await fs.exists(`${root}/d`)).toBe(false);
    },
  },
  cp: {
    async recursive({ fs, root }) {
      await fs.mkdir(`${root}/d`);
      await fails(fs.cp(`${root}/d`, `${root}/e`, { recursive: false }), { code: "ERR_FS_EISDIR" });
      await fs.cp(`${root}/d`, `${root}/e`, { recursive: true });
      expect(await fs.exists(`${root}/e`)).toBe(true);
    },
    async force(subject) {
      expect(await copied(subject, { force: true })).toBe("new");
      expect(await copied(subject, { force: false })).toBe("old");
    },
    async errorOnExist(subject) {
      await fails(copied(subject, { force: false, errorOnExist: true }), { code: "ERR_FS_CP_EEXIST" });
    },
    async dereference({ fs, root }) {
      await fs.writeFile(`${root}/f`, "f");
      await fs.symlink("f", `${root}/l`);
      await fs.cp(`${root}/l`, `${root}/copy`, { dereference: true });
      expect((await fs.lstat(`${root}/copy`)).isFile()).toBe(true);
    },
    async filter({ fs, root }) {
      await fs.writeFile(`${root}/f`, "f");
      await fs.cp(`${root}/f`, `${root}/g`, { filter: () => false });
      expect(await fs.exists(`${root}/g`)).toBe(false);
    },
    /** With a file that is there: see test/contract/differences.ts. */
    async mode({ fs, root }) {
      await fs.writeFile(`${root}/f`, "f");
      await fs.cp(`${root}/f`, `${root}/g`, { mode: 1 });
      await fs.cp(`${root}/f`, `${root}/g`, { mode: 2 });
      await fs.cp(`${root}/f`, `${root}/g`, { mode: 1, force: false });
      expect(await text(fs, `${root}/g`)).toBe("f");
    },
    async preserveTimestamps({ fs, root }) {
      await fs.writeFile(`${root}/f`, "f");
      await fs.utimes(`${root}/f`, 1000, 2000);
      await fs.cp(`${root}/f`, `${root}/g`, { preserveTimestamps: true });
      expect((await fs.stat(`${root}/g`)).mtimeMs).toBe(2_000_000);
    },
    async verbatimSymlinks({ fs, root }) {
      await fs.symlink("./x", `${root}/l`);
      await fs.cp(`${root}/l`, `${root}/m`, { verbatimSymlinks: true });
      expect(await fs.readlink(`${root}/m`)).toBe("./x");
    },
  },
  readlink: { encoding: textOnly },
  realpath: { encoding: textOnly },
  glob: {
    async cwd({ fs, root }) {
      await fs.writeFile(`${root}/f`, "");
      expect(await fs.glob("*", { cwd: root })).toEqual(["f"]);
    },
    async exclude({ fs, root }) {
      await fs.writeFile(`${root}/f`, "");
      await fs.writeFile(`${root}/g`, "");
      expect(await fs.glob("*", { cwd: root, exclude: ["g"] })).toEqual(["f"]);
    },
    withFileTypes: refuses(true),
    followSymlinks: refuses(true),
  },
  watch: {
    encoding: refuses("buffer", "hex"),
    async persistent(subject) {
      expect(await firstEvents(subject, { persistent: false }, ["f"])).toEqual(["f"]);
    },
    async recursive(subject) {
      expect(await firstEvents(subject, { recursive: true }, ["d/f"])).toEqual(["d/f"]);
    },
    async signal({ fs, root }) {
      const events = fs.watch(root, { signal: AbortSignal.abort() })[Symbol.asyncIterator]();
      await fails(events.next(), { code: "ABORT_ERR" });
    },
    async ignore(subject) {
      const paths = ["d/a.log", "d/x.tmp", "skip", "d/seen"];
      const ignore = ["*.log", /\.tmp$/g, (name: string) => name === "skip"];
      expect(await firstEvents(subject, { recursive: true, ignore }, paths)).toEqual(["d/seen"]);
      expect(await firstEvents(subject, { recursive: true, ignore: "d/*" }, ["d/b", "c"])).toEqual(["c"]);
    },
    maxQueue: refuses(10),
    overflow: refuses("throw"),
  },
};

async function copied({ fs, root }: Subject, options: { force?: boolean; errorOnExist?: boolean }): Promise<string> {
  await fs.writeFile(`${root}/new`, "new");
  await fs.writeFile(`${root}/there`, "old");
  await fs.cp(`${root}/new`, `${root}/there`, options);
  return text(fs, `${root}/there`);
}

/** Makes files one after the other; the names of the events until there is one of the last file. */
async function firstEvents(
  { fs, root }: Subject,
  options: Parameters<FileSystem["watch"]>[1],
  paths: string[],
): Promise<string[]> {
  const directory = await fs.mkdtemp(`${root}/watched-`);
  await fs.mkdir(`${directory}/d`);
  const stop = new AbortController();
  const events = fs.watch(directory, { ...options, signal: stop.signal })[Symbol.asyncIterator]();
  const first = events.next();
  for (const path of paths) await fs.writeFile(`${directory}/${path}`, "");
  const names = new Set<string>();
  for (let event = await first; event.done !== true; event = await events.next()) {
    names.add(event.value.filename);
    if (event.value.filename === paths.at(-1)) break;
  }
  await events.return?.();
  return [...names];
}

/** Of each verb, called with these options on what is there. */
function call(verb: Verb, { fs, root }: Subject, options: never): Promise<unknown> {
  switch (verb) {
    case "writeFile":
    case "appendFile":
      return fs[verb](`${root}/f`, "changed", options);
    case "cp":
      return fs.cp(`${root}/f`, `${root}/copy`, options);
    case "mkdtemp":
    case "mkdtempDisposable":
      return fs[verb](`${root}/made-`, options);
    case "glob":
      return fs.glob("*", options);
    case "watch":
      return fs.watch(root, options)[Symbol.asyncIterator]().next();
    case "readlink":
      return fs.readlink(`${root}/l`, options);
    case "readdir":
    case "opendir":
    case "rmdir":
      return (fs[verb] as (path: string, options: never) => Promise<unknown>)(`${root}/d`, options);
    default:
      return (fs[verb] as (path: string, options: never) => Promise<unknown>)(`${root}/f`, options);
  }
}

export function optionsContract(make: Make): void {
  const it = testsOn(make);

  describe("options", () => {
    for (const [verb, options] of Object.entries(decisions))
      for (const [option, decision] of Object.entries(options))
        if (typeof decision === "function") it(`${verb} takes ${option} as Node does`, decision);

    it("copyFile takes Node's modes, and symlink its types", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "f");
      for (const mode of [0, 1, 2]) await fs.copyFile(`${root}/f`, `${root}/copy${mode}`, mode);
      await fails(fs.copyFile(`${root}/f`, `${root}/copy0`, 1), { code: "EEXIST", syscall: "copyfile" });
      for (const type of ["file", "dir", "junction", null] as const) {
        await fs.symlink("f", `${root}/${type}`, type);
        expect(await fs.readlink(`${root}/${type}`)).toBe("f");
      }
    });

    it("open takes the bits of Node's constants, and a mode in octal digits", async ({ fs, root }) => {
      const { RDONLY, WRONLY, RDWR, CREAT, EXCL, TRUNC, APPEND } = BITS;
      const created = await fs.open(`${root}/f`, WRONLY | CREAT | EXCL, "600");
      await created.write("abc");
      await created.close();
      expect((await fs.stat(`${root}/f`)).mode).toBe(0o100600);
      await fails(fs.open(`${root}/f`, RDWR | CREAT | EXCL), { code: "EEXIST" });
      await fails(fs.open(`${root}/none`, RDWR), { code: "ENOENT" });
      const appending = await fs.open(`${root}/f`, WRONLY | APPEND);
      await appending.write("d");
      await appending.close();
      await using reading = await fs.open(`${root}/f`, RDONLY);
      expect(await reading.readFile("utf8")).toBe("abcd");
      await fails(reading.write("x"), { code: "EBADF" });
      await (await fs.open(`${root}/f`, RDWR | TRUNC)).close();
      expect((await fs.stat(`${root}/f`)).size).toBe(0);
    });

    it("mkdtempDisposable makes a directory that goes with what is in it", async ({ fs, root }) => {
      {
        await using made = await fs.mkdtempDisposable(`${root}/x-`);
        expect(made.path.startsWith(`${root}/x-`)).toBe(true);
        await fs.writeFile(`${made.path}/f`, "");
      }
      const other = await fs.mkdtempDisposable(`${root}/x-`, "utf8");
      await other.remove();
      await other.remove();
      expect(await fs.readdir(root)).toEqual([]);
    });
  });
}

/** Of Linux: the test runs where there is no `node:fs`. */
const BITS = { RDONLY: 0, WRONLY: 1, RDWR: 2, CREAT: 0o100, EXCL: 0o200, TRUNC: 0o1000, APPEND: 0o2000 } as const;

/** What Node does and ours says it does not. */
export function refusedOptions(make: Make): void {
  const it = testsOn(make);

  describe("options that are not supported", () => {
    for (const [verb, options] of Object.entries(decisions) as [Verb, Record<string, Decision>][]) {
      const refused = Object.entries(options).flatMap(([option, decision]) =>
        typeof decision === "function" ? [] : decision.refuses.map((value) => [option, value] as const),
      );
      it(`${verb} refuses them with their names, and changes nothing`, async (subject) => {
        const { fs, root } = subject;
        await fs.writeFile(`${root}/f`, "f");
        await fs.mkdir(`${root}/d`);
        await fs.symlink("f", `${root}/l`);
        const before = await fs.readdir(root);
        for (const [option, value] of [...refused, ["bogus", 1], ["constructor", 1]] as const) {
          const error = await call(verb, subject, { [option]: value } as never).then(
            () => "nothing was thrown",
            (reason) => reason,
          );
          expect([option, value, error]).toMatchObject([option, value, { code: "EINVAL" }]);
          expect((error as Error).message).toContain(`"${option}"`);
        }
        expect([await fs.readdir(root), await text(fs, `${root}/f`)]).toEqual([before, "f"]);
      });
    }

    it("an option whose value is undefined counts as absent", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "f", { bogus: undefined } as never);
      expect(await text(fs, `${root}/f`)).toBe("f");
      await fs.stat(`${root}/f`, { bogus: undefined } as never);
    });

    it("open, copyFile and symlink refuse what they do not know", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "f");
      for (const flags of [0o3, 0o400000, -1, 1.5, "rw", BITS.TRUNC])
        await fails(fs.open(`${root}/f`, flags), { code: "EINVAL", syscall: "open" });
      for (const mode of [8, -1, 1.5, "1"])
        await fails(fs.copyFile(`${root}/f`, `${root}/g`, mode as number), { code: "EINVAL" });
      await fails(fs.symlink("f", `${root}/l`, "bogus" as never), { code: "EINVAL" });
      expect(await fs.readdir(root)).toEqual(["f"]);
    });
  });
}
