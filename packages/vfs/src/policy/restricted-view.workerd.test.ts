/** A restricted view, verb by verb: denied and outside paths do not exist, and forbidden changes are rejected without effect. */
import type { PathPolicy } from "@workspace/glob";
import { inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import type { FileSystem, SearchableFileSystem } from "../api/file-system.ts";
import { createFileSystem } from "../create-file-system.ts";
import { createPastView } from "../create-past-file-system.ts";
import { createHistory } from "../history/create-history.ts";
import { createSnapshots } from "../history/snapshots.ts";
import { fsck } from "../maintenance/fsck.ts";
import { lookupPath } from "../volume/internal/lookup-path.ts";
import type { WriteView } from "../volume/views.ts";
import { restrictView } from "./restricted-view.ts";

const DENY: PathPolicy = { deny: [".env", ".aws/", "config/prod.json"] };
const INNER: PathPolicy = { root: "/workspace/inner" };
const SECRET = "TOPSECRET42";

interface Views {
  all: SearchableFileSystem;
  fs: ReturnType<typeof createFileSystem>;
  volume: WriteView;
  present: WriteView;
}

async function plant(fs: FileSystem): Promise<void> {
  const file = (path: string, content: string) => ({ path, content });
  const link = (path: string, target: string) => ({ path, type: "symlink" as const, target });
  await fs.writeMany([
    file("/workspace/a.txt", "plain\n"),
    file("/workspace/.env", `${SECRET}\n`),
    file("/workspace/config/prod.json", SECRET),
    file("/workspace/config/app.json", "{}"),
    file("/workspace/.aws/credentials", SECRET),
    file("/workspace/.git/config", SECRET),
    file("/workspace/inner/.git", `gitdir: ${SECRET}`),
    file("/workspace/inner/in.txt", "inside\n"),
    file("/workspace/src/x.ts", "x\n"),
    file("/workspace/secrets-only/.env", SECRET),
    link("/workspace/to-env", ".env"),
    link("/workspace/to-aws", "/workspace/.aws"),
    link("/workspace/inner/out", "../a.txt"),
    link("/workspace/inner/up", "/workspace"),
    file("/elsewhere.txt", "outside"),
  ]);
}

function restricted<T>(policy: PathPolicy, body: (views: Views) => Promise<T>): Promise<T> {
  return inObject(async ({ volume: present }) => {
    const all = createFileSystem(present);
    await plant(all);
    const volume = restrictView(present, policy);
    const result = await body({ all, volume, present, fs: createFileSystem(volume) });
    expect((await fsck(present)).problems).toEqual([]);
    return result;
  });
}

const code = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string; refusal?: string }) => `${error.code} ${error.refusal}`,
  );

type Read = (fs: Views["fs"], path: string) => Promise<unknown>;
const READS: Record<string, Read> = {
  readFile: (fs, path) => fs.readFile(path),
  read: (fs, path) => fs.read(path),
  readRange: (fs, path) => fs.readRange(path, 0, 4),
  readStream: async (fs, path) => new Response(await fs.readStream(path)).text(),
  open: (fs, path) => fs.open(path),
  stat: (fs, path) => fs.stat(path),
  lstat: (fs, path) => fs.lstat(path),
  access: (fs, path) => fs.access(path),
  realpath: (fs, path) => fs.realpath(path),
  readlink: (fs, path) => fs.readlink(path),
  readdir: (fs, path) => fs.readdir(path),
  opendir: (fs, path) => fs.opendir(path),
  scan: (fs, path) => fs.scan(path),
  find: (fs, path) => fs.find(path),
  tree: (fs, path) => fs.tree(path),
  du: (fs, path) => fs.du(path),
  statfs: (fs, path) => fs.statfs(path),
  grep: (fs, path) => fs.grep("T", path),
  "copyFile from": (fs, path) => fs.copyFile(path, "/workspace/inner/copy"),
  "cp from": (fs, path) => fs.cp(path, "/workspace/inner/copy", { recursive: true }),
  "link from": (fs, path) => fs.link(path, "/workspace/inner/copy"),
  "rename from": (fs, path) => fs.rename(path, "/workspace/inner/copy"),
  rm: (fs, path) => fs.rm(path, { recursive: true }),
  rmdir: (fs, path) => fs.rmdir(path),
  unlink: (fs, path) => fs.unlink(path),
  chmod: (fs, path) => fs.chmod(path, 0o600),
  utimes: (fs, path) => fs.utimes(path, 1, 1),
  lutimes: (fs, path) => fs.lutimes(path, 1, 1),
  truncate: (fs, path) => fs.truncate(path),
  watch: async (fs, path) => fs.watch(path)[Symbol.asyncIterator]().next(),
};

type Write = (fs: Views["fs"], path: string) => Promise<unknown>;
const WRITES: Record<string, Write> = {
  writeFile: (fs, path) => fs.writeFile(path, "new"),
  "writeFile of a stream": (fs, path) => fs.writeFile(path, new Blob(["new"]).stream()),
  appendFile: (fs, path) => fs.appendFile(path, "new"),
  "open w": async (fs, path) => (await fs.open(path, "w")).close(),
  mkdir: (fs, path) => fs.mkdir(path),
  "mkdir -p": (fs, path) => fs.mkdir(path, { recursive: true }),
  "copyFile to": (fs, path) => fs.copyFile("/workspace/inner/in.txt", path),
  "cp to": (fs, path) => fs.cp("/workspace/inner/in.txt", path),
  "cp -r to": (fs, path) => fs.cp("/workspace/inner", path, { recursive: true }),
  "rename to": (fs, path) => fs.rename("/workspace/inner/in.txt", path),
  "link to": (fs, path) => fs.link("/workspace/inner/in.txt", path),
  symlink: (fs, path) => fs.symlink("in.txt", path),
  writeMany: (fs, path) => fs.writeMany([{ path, content: "new" }]),
  "writeMany dir": (fs, path) => fs.writeMany([{ path, type: "dir" }]),
  "writeMany symlink": (fs, path) => fs.writeMany([{ path, type: "symlink", target: "x" }]),
};

/** Everything there is, to see that nothing has changed. */
async function whole(fs: SearchableFileSystem): Promise<string> {
  const found = await fs.find("/");
  const lines = found.map(({ path, type, version }) => `${path} ${type} ${version}`);
  return lines.join("\n");
}

describe("a path that is not visible", () => {
  const HIDDEN: [string, PathPolicy, string[]][] = [
    ["denied", DENY, ["/workspace/.env", "/workspace/config/prod.json", "/workspace/.aws", "/workspace/.git"]],
    ["in a denied directory", DENY, ["/workspace/.aws/credentials", "/workspace/.git/config"]],
    ["outside the root", INNER, ["/workspace/a.txt", "/workspace/src", "/elsewhere.txt", "/workspace/src/x.ts"]],
    ["denied at any depth", DENY, ["/workspace/secrets-only/.env", "/workspace/inner/.git"]],
  ];
  for (const [what, policy, paths] of HIDDEN)
    it(`${what}: no verb finds it, and none changes it`, () =>
      restricted(policy, async ({ fs, all, volume }) => {
        const before = await whole(all);
        for (const path of paths) {
          for (const [verb, run] of Object.entries(READS))
            expect([verb, path, await code(run(fs, path))]).toEqual([verb, path, "ENOENT"]);
          expect(await fs.exists(path)).toBe(false);
          expect(await fs.readMany([path])).toEqual([null]);
          expect(await fs.fingerprints([path])).toEqual([null]);
          expect(lookupPath(volume, path)?.stat ?? null).toBe(null);
          expect(await fs.rm(path, { force: true })).toBe(undefined);
          for (const [verb, run] of Object.entries(WRITES)) {
            const inHidden = paths.some((other) => path.startsWith(`${other}/`)) || /\.(aws|git)\/|\/src\//.test(path);
            const answer = await code(run(fs, path));
            expect([verb, path, inHidden ? ["EACCES", "ENOENT"] : ["EACCES", "ERR_FS_CP_EINVAL"]]).toEqual([
              verb,
              path,
              expect.arrayContaining([answer]),
            ]);
          }
        }
        expect(await whole(all)).toBe(before);
      }));

  it("is in no listing, walk, search or sum", () =>
    restricted(DENY, async ({ fs }) => {
      const names = await fs.readdir("/workspace");
      expect(names).toEqual(["a.txt", "config", "inner", "secrets-only", "src", "to-aws", "to-env"]);
      const texts = [
        await fs.readdir("/workspace", { recursive: true }),
        await fs.scan("/workspace"),
        await fs.scan("/workspace", { limit: 3 }),
        await fs.scan("/workspace/config", { after: "app.json", limit: 1 }),
        await fs.find("/"),
        await fs.glob("**/*"),
        await fs.glob("**/.*"),
        await fs.glob(".env"),
        await fs.tree("/", { depth: 9 }),
        await fs.grep("T", "/", { hidden: true, ignore: false }),
        await fs.grep("", "/workspace", { hidden: true, mode: "files", ignore: false }),
        await fs.changes(),
      ].map((answer) => JSON.stringify(answer));
      for (const text of texts) {
        expect(text).not.toContain(SECRET);
        expect(text).not.toMatch(/"[^"]*(\/|\b)?(\.env|\.aws|prod\.json|credentials|\.git)"/);
      }
      // Pages are full although entries are left out.
      expect((await fs.scan("/workspace", { limit: 3 })).map(({ name }) => name)).toEqual(["a.txt", "config", "inner"]);
      const listed = [];
      for await (const { name } of await fs.opendir("/workspace", { bufferSize: 1 })) listed.push(name);
      expect(listed).toEqual(names);
      expect(await fs.du("/workspace/.")).toMatchObject({ files: 4, directories: 5 });
    }));

  it("is not reached through links", () =>
    restricted(DENY, async ({ fs, all }) => {
      const before = await whole(all);
      expect(await code(fs.readFile("/workspace/to-env"))).toBe("ENOENT");
      expect(await code(fs.readdir("/workspace/to-aws"))).toBe("ENOENT");
      expect(await code(fs.readFile("/workspace/to-aws/credentials"))).toBe("ENOENT");
      expect(await refusal(fs.writeFile("/workspace/to-env", "x"))).toBe("EACCES DENIED");
      expect(await whole(all)).toBe(before);
      // The link itself is visible.
      expect(await fs.readlink("/workspace/to-env")).toBe(".env");
    }));

  it("is not reached from a narrowed root, and the way to the root shows nothing else", () =>
    restricted(INNER, async ({ fs }) => {
      expect(await fs.readdir("/")).toEqual(["workspace"]);
      expect(await fs.readdir("/workspace")).toEqual(["inner"]);
      expect(await fs.readFile("/workspace/inner/in.txt", "utf8")).toBe("inside\n");
      expect(await fs.readFile("/workspace/inner/up/inner/in.txt", "utf8")).toBe("inside\n");
      for (const path of ["/workspace/inner/out", "/workspace/inner/up/a.txt", "/workspace/inner/../a.txt"])
        expect([path, await code(fs.readFile(path))]).toEqual([path, "ENOENT"]);
      expect(await refusal(fs.writeFile("/workspace/inner/up/new", "x"))).toBe("EACCES OUTSIDE_ROOT");
      expect(await refusal(fs.chmod("/workspace", 0o700))).toBe("EACCES OUTSIDE_ROOT");
      expect(await code(fs.rm("/workspace/inner", { recursive: true }))).toBe("EBUSY");
      expect(await fs.glob("*")).toEqual(["in.txt", "out", "up"]);
    }));

  it("stays hidden when another view has resolved it before", () =>
    restricted(DENY, async ({ fs, all, volume, present }) => {
      for (const path of ["/workspace/to-env", "/workspace/to-aws/credentials", "/workspace/.aws/credentials"]) {
        await all.stat(path);
        await all.readFile(path);
        lookupPath(present, path);
        expect(await code(fs.stat(path))).toBe("ENOENT");
        expect(lookupPath(volume, path)?.stat ?? null).toBe(null);
      }
      // And visible when it comes to be.
      await all.rename("/workspace/.env", "/workspace/shown");
      expect(await fs.readFile("/workspace/shown", "utf8")).toContain(SECRET);
      await all.rename("/workspace/shown", "/workspace/.env");
      expect(await code(fs.readFile("/workspace/shown"))).toBe("ENOENT");
      await all.rename("/workspace/config", "/workspace/conf");
      expect(await fs.readdir("/workspace/conf")).toEqual(["app.json", "prod.json"]);
      await all.rename("/workspace/conf", "/workspace/config");
      expect(await fs.readdir("/workspace/config")).toEqual(["app.json"]);
    }));
});

describe("a directory with hidden entries", () => {
  it("is not moved, removed or replaced", () =>
    restricted(DENY, async ({ fs, all }) => {
      const before = await whole(all);
      for (const path of ["/workspace/config", "/workspace/secrets-only"]) {
        expect(await refusal(fs.rename(path, "/workspace/moved"))).toBe("EACCES DENIED");
        expect(await refusal(fs.rm(path, { recursive: true }))).toBe("EACCES DENIED");
        expect(await refusal(fs.writeMany([{ path, type: "remove" }]))).toBe("EACCES DENIED");
      }
      expect(await refusal(fs.rmdir("/workspace/secrets-only"))).toBe("EACCES DENIED");
      expect(await refusal(fs.rename("/workspace/src", "/workspace/secrets-only"))).toBe("EACCES DENIED");
      expect(await whole(all)).toBe(before);
    }));

  it("does not come to be by a rename, and a copy leaves them out", () =>
    restricted(DENY, async ({ fs, all }) => {
      await fs.mkdir("/workspace/other");
      await fs.writeFile("/workspace/other/prod.json", "mine");
      await all.rm("/workspace/config", { recursive: true });
      expect(await refusal(fs.rename("/workspace/other", "/workspace/config"))).toBe("EACCES DENIED");
      expect(await refusal(fs.cp("/workspace/other", "/workspace/config", { recursive: true }))).toBe("EACCES DENIED");
      await fs.cp("/workspace/secrets-only", "/workspace/copied", { recursive: true });
      expect(await all.readdir("/workspace/copied")).toEqual([]);
    }));
});

describe("a path that may not be changed", () => {
  const POLICIES: [string, PathPolicy][] = [
    ["not among the writable ones", { writable: ["src/"] }],
    ["in a read-only view", { readOnly: true }],
  ];
  for (const [what, policy] of POLICIES)
    it(`${what}: every verb that changes is EACCES`, () =>
      restricted(policy, async ({ fs, all, volume }) => {
        const before = await whole(all);
        const readers = new Set(
          Object.keys(READS).filter((verb) => !/from|^(rm|rmdir|unlink|chmod|l?utimes|truncate)$/.test(verb)),
        );
        for (const [verb, run] of Object.entries({ ...READS, ...WRITES })) {
          if (readers.has(verb) || verb.endsWith("from")) continue;
          if (verb === "rmdir") continue;
          const path = /^mkdir|symlink|link to|-r to|dir$/.test(verb) ? "/workspace/new" : "/workspace/a.txt";
          expect([verb, await refusal(run(fs, path))]).toEqual([verb, "EACCES NOT_WRITABLE"]);
        }
        expect(await refusal(fs.mkdtemp("/workspace/t-"))).toBe("EACCES NOT_WRITABLE");
        expect(await refusal(createSnapshots(volume).create("s"))).toBe("EACCES NOT_WRITABLE");
        expect(await whole(all)).toBe(before);
        expect(await fs.readFile("/workspace/.env", "utf8")).toContain(SECRET);
      }));

  it("is not changed through links, hard links, renames and parents", () =>
    restricted({ writable: ["src/", "docs/api/*.md"] }, async ({ fs, all }) => {
      const before = await whole(all);
      await fs.symlink("../a.txt", "/workspace/src/l");
      expect(await refusal(fs.writeFile("/workspace/src/l", "x"))).toBe("EACCES NOT_WRITABLE");
      await fs.unlink("/workspace/src/l");
      expect(await refusal(fs.link("/workspace/a.txt", "/workspace/src/h"))).toBe("EACCES NOT_WRITABLE");
      expect(await refusal(fs.rename("/workspace/a.txt", "/workspace/src/a"))).toBe("EACCES NOT_WRITABLE");
      expect(await refusal(fs.rename("/workspace/src/x.ts", "/workspace/a.txt"))).toBe("EACCES NOT_WRITABLE");
      expect(await refusal(fs.mkdir("/workspace/docs"))).toBe("EACCES NOT_WRITABLE");
      expect((await whole(all)).replace(/\/workspace\/src dir \S+/, "")).toBe(
        before.replace(/\/workspace\/src dir \S+/, ""),
      );
      // Parents are made on the way to what may be written, in one change with it.
      await fs.writeMany([{ path: "/workspace/docs/api/a.md", content: "x" }]);
      expect(await refusal(fs.writeMany([{ path: "/workspace/docs/other/a.md", content: "x" }]))).toBe(
        "EACCES NOT_WRITABLE",
      );
      expect(await all.readdir("/workspace/docs")).toEqual(["api"]);
    }));
});

describe("time of check and time of use", () => {
  it("a stream is written where its path leads when it ends", () =>
    restricted(INNER, async ({ fs, all }) => {
      await fs.mkdir("/workspace/inner/d");
      let swap = () => {};
      const swapped = new Promise<void>((resolve) => (swap = resolve));
      async function* slow() {
        yield "first ";
        await swapped;
        yield "second";
      }
      const writing = fs.writeFile("/workspace/inner/d/a.txt", slow());
      await fs.rmdir("/workspace/inner/d");
      await fs.symlink("/workspace", "/workspace/inner/d");
      swap();
      expect(await refusal(writing)).toBe("EACCES OUTSIDE_ROOT");
      expect(await all.readFile("/workspace/a.txt", "utf8")).toBe("plain\n");
    }));

  it("a handle writes under the name that the file has then", () =>
    restricted(DENY, async ({ fs, all }) => {
      await using handle = await fs.open("/workspace/a.txt", "r+");
      await all.rename("/workspace/a.txt", "/workspace/moved/../.env").catch(() => {});
      await all.rename("/workspace/a.txt", "/workspace/.env");
      await handle.write("changed");
      expect(await refusal(handle.sync())).toBe("EACCES DENIED");
      expect(await all.readFile("/workspace/.env", "utf8")).toBe("plain\n");
      await all.rename("/workspace/.env", "/workspace/a.txt");
      await handle.sync();
      expect(await all.readFile("/workspace/a.txt", "utf8")).toBe("changed");
    }));

  it("a handle of an unrestricted view writes what a restricted one has open too", () =>
    restricted(DENY, async ({ fs, all }) => {
      await using restrictedHandle = await fs.open("/workspace/a.txt");
      await using handle = await all.open("/workspace/a.txt", "r+");
      await all.rename("/workspace/a.txt", "/workspace/.env");
      await handle.write("CHANGED");
      await handle.sync();
      expect(await all.readFile("/workspace/.env", "utf8")).toBe("CHANGED");
      expect((await restrictedHandle.stat()).size).toBe(7);
    }));
});

describe("the past of a restricted view", () => {
  it("shows no denied path in log, diff, changes, watch and earlier trees", () =>
    restricted(DENY, async ({ fs, all, volume, present }) => {
      const since = (await all.changes()).cursor;
      const events = fs.watch("/workspace", { recursive: true, since })[Symbol.asyncIterator]();
      await all.writeFile("/workspace/.env", `new ${SECRET}`);
      await all.rename("/workspace/.env", "/workspace/shown");
      await all.rename("/workspace/shown", "/workspace/.env");
      await all.writeFile("/workspace/a.txt", "new\n");
      const { changes } = await fs.changes({ since });
      expect(changes.map(({ op, path, from }) => [op, path, from])).toEqual([
        ["link", "/workspace/shown", undefined],
        ["remove", "/workspace/shown", undefined],
        ["write", "/workspace/a.txt", undefined],
      ]);
      const seen = [await events.next(), await events.next(), await events.next()];
      expect(seen.map(({ value }) => value?.filename)).toEqual(["shown", "shown", "a.txt"]);
      await events.return?.();
      const history = createHistory(volume);
      const log = await history.log({ limit: 3 });
      expect(log.entries.map(({ path }) => path)).toEqual(["/workspace/a.txt", "/workspace/shown", "/workspace/shown"]);
      expect(JSON.stringify(await history.groups())).not.toContain(".env");
      const diff = await history.diff({ from: since });
      expect(diff.files.map(({ path }) => path)).toEqual(["/workspace/a.txt"]);
      expect(await code(history.diff({ from: since, path: "/workspace/.env" }))).toBe("ENOENT");
      expect(await code(history.blame("/workspace/.env"))).toBe("ENOENT");
      const past = createPastView(volume, since).fs;
      expect(await code(past.readFile("/workspace/.env"))).toBe("ENOENT");
      expect(await past.readFile("/workspace/a.txt", "utf8")).toBe("plain\n");
      expect(await createPastView(present, since).fs.readFile("/workspace/.env", "utf8")).toContain(SECRET);
    }));

  it("takes back only what is visible", () =>
    restricted(DENY, async ({ fs, all, volume, present }) => {
      const snapshot = await createSnapshots(volume).create("before");
      const host = createFileSystem(present, { callId: "both" });
      await host.writeMany([
        { path: "/workspace/.env", content: "lost" },
        { path: "/workspace/a.txt", content: "new" },
      ]);
      await createFileSystem(present, { callId: "mine" }).writeFile("/workspace/src/x.ts", "y");
      const history = createHistory(volume);
      expect(await code(history.undo({ callId: "both" }))).toBe("EACCES");
      expect(await code(createSnapshots(volume).restore(snapshot.id))).toBe("EACCES");
      expect(await code(createSnapshots(volume).restore(snapshot.id, { paths: ["/workspace/.env"] }))).toBe("done");
      expect(await all.readFile("/workspace/.env", "utf8")).toBe("lost");
      await history.undo({ callId: "mine" });
      await createSnapshots(volume).restore(snapshot.id, { paths: ["/workspace/a.txt"] });
      expect(await fs.readFile("/workspace/src/x.ts", "utf8")).toBe("x\n");
      expect(await fs.readFile("/workspace/a.txt", "utf8")).toBe("plain\n");
      expect(await code(history.purge("/workspace/a.txt"))).toBe("EACCES");
      expect(await code(createSnapshots(volume).remove(snapshot.id))).toBe("EACCES");
    }));
});

describe("restrictView", () => {
  it("only narrows a restricted view", () =>
    restricted(DENY, async ({ volume }) => {
      const inner = createFileSystem(restrictView(volume, { root: "/workspace/config", writable: ["*.json"] }));
      expect(await inner.readdir("/workspace/config")).toEqual(["app.json"]);
      await inner.writeFile("/workspace/config/app.json", "1");
      expect(await refusal(inner.writeFile("/workspace/config/prod.json", "1"))).toBe("EACCES DENIED");
      expect(await refusal(inner.writeFile("/workspace/a.txt", "1"))).toBe("EACCES OUTSIDE_ROOT");
      const wider = createFileSystem(restrictView(restrictView(volume, { root: "/workspace/config" }), { root: "/" }));
      expect(await wider.readdir("/workspace")).toEqual(["config"]);
    }));

  it("refuses a policy that is none", () =>
    inObject(async ({ volume }) => {
      const wrong = [null, 1, [], { deny: ".env" }, { deny: [1] }, { deny: [""] }, { deny: ["[z-a]"] }, { root: "a" }];
      const more = [
        { root: "/a/../b" },
        { root: "/a/" },
        { readOnly: 1 },
        { allow: [] },
        { writable: {} },
        { deny: Array(1001).fill("a") },
      ];
      for (const policy of [...wrong, ...more])
        expect(() => restrictView(volume, policy as PathPolicy), JSON.stringify(policy).slice(0, 80)).toThrow(
          /^EINVAL/,
        );
    }));

  it("is the volume itself where the policy says nothing", () =>
    inObject(async ({ volume }) => expect(restrictView(volume, {})).toBe(volume)));
});
