/** The cache between commands answers without a statement, and never hides changes that others made to the files. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";
import { createGit, type Git } from "@cloudflare/workspace/git";
import { describe, expect, it } from "vitest";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const who = ["-c", "user.name=A", "-c", "user.email=a@x"];

interface Place {
  readonly workspace: Workspace;
  readonly storage: DurableObjectStorage;
  /** Fails unless the command succeeds. */
  run(...argv: string[]): Promise<string>;
  /** Another git on the same files, which knows nothing of ours. */
  readonly otherEngine: Git;
  /** Statements that a command runs. */
  count(git: Git, ...argv: string[]): Promise<number>;
}

/** A repository with ten commits of one file, in a pack. */
function inRepository(name: string, body: (place: Place) => Promise<void>): Promise<void> {
  return inObject(name, async (place) => {
    await place.run("init", "-q", "-b", "main");
    for (let i = 0; i < 10; i++) {
      await place.workspace.fs.writeFile("/workspace/a.txt", `${i}\n`);
      await place.run("add", "a.txt");
      await place.run(...who, "commit", "-q", "-m", `number ${i}`);
    }
    await place.run("gc", "-q");
    await body(place);
  });
}

function inObject(name: string, body: (place: Place) => Promise<void>): Promise<void> {
  return runInDurableObject(env.BARE.getByName(name), async (_, { storage }) => body(placeIn(storage)));
}

function placeIn(storage: DurableObjectStorage): Place {
  const workspace = new Workspace({ storage });
  return {
    workspace,
    storage,
    run: (...argv) => mustRun(workspace.git, argv),
    otherEngine: createGit({ fs: workspace.fs, now: () => 1_700_000_000_000, cwd: "/workspace" }),
    async count(git, ...argv) {
      const { exec } = storage.sql;
      let statements = 0;
      storage.sql.exec = ((...args: Parameters<typeof exec>) => {
        statements++;
        return exec.apply(storage.sql, args);
      }) as typeof exec;
      try {
        await mustRun(git, argv);
      } finally {
        Reflect.deleteProperty(storage.sql, "exec");
      }
      return statements;
    },
  };
}

async function mustRun(git: Git, argv: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await git.cli({ argv: [...argv], cwd: "/workspace" });
  if (exitCode !== 0) throw new Error(`git ${argv.join(" ")}: ${text(stderr)}`);
  return text(stdout);
}

const subjects = (place: Place) => place.run("log", "-n", "2", "--format=%s");

describe("a second command", () => {
  it("reads nothing that the first has read", async () => {
    await inRepository("kept counts", async (place) => {
      const { git } = place.workspace;
      const first = await place.count(place.otherEngine, "log", "-n", "100");
      expect(first).toBeGreaterThan(4);
      expect(await place.count(place.otherEngine, "log", "-n", "100")).toBe(0);
      expect(await place.count(git, "log", "-n", "100")).toBeLessThan(first);
      expect(await place.count(git, "log", "-n", "100")).toBe(0);
      expect(await place.count(git, "rev-parse", "HEAD~3")).toBe(0);
      expect(await place.count(git, "show", "--stat", "HEAD~1")).toBeLessThanOrEqual(2);
      expect(await place.count(git, "show", "--stat", "HEAD~1")).toBe(0);
      expect(await place.count(git, "ls-files")).toBe(0);
    });
  });

  it("sees refs, HEAD and configuration that were written as plain files", async () => {
    await inRepository("kept files", async (place) => {
      const { fs } = place.workspace;
      const [first, second] = (await place.run("rev-list", "-n", "2", "HEAD")).trim().split("\n");
      await place.run("config", "user.name", "Before");
      await subjects(place);
      await fs.writeFile("/workspace/.git/refs/heads/side", `${second}\n`);
      expect(await place.run("rev-parse", "side")).toBe(`${second}\n`);
      await fs.writeFile("/workspace/.git/refs/heads/side", `${first}\n`);
      expect(await place.run("rev-parse", "side")).toBe(`${first}\n`);
      await fs.unlink("/workspace/.git/refs/heads/side");
      await fs.writeFile("/workspace/.git/packed-refs", `${second} refs/heads/main\n${first} refs/heads/side\n`);
      await fs.rm("/workspace/.git/refs/heads/main", { force: true });
      expect(await place.run("rev-parse", "side", "main")).toBe(`${first}\n${second}\n`);
      await fs.writeFile("/workspace/.git/HEAD", "ref: refs/heads/side\n");
      expect(await place.run("symbolic-ref", "HEAD")).toBe("refs/heads/side\n");
      const config = await fs.readFile("/workspace/.git/config", "utf8");
      await fs.writeFile(
        "/workspace/.git/config",
        config.replace("Before", () => "Later!"),
      );
      expect(await place.run("config", "user.name")).toBe("Later!\n");
    });
  });

  it("sees an index that another has written, put in its place or taken away", async () => {
    await inRepository("kept index", async (place) => {
      const { fs } = place.workspace;
      const index = "/workspace/.git/index";
      const staged = () => place.run("ls-files");
      expect(await staged()).toBe("a.txt\n");
      const before = await fs.readFile(index);
      await fs.writeFile("/workspace/b.txt", "b\n");
      await mustRun(place.otherEngine, ["add", "b.txt"]);
      expect(await staged()).toBe("a.txt\nb.txt\n");
      await fs.writeFile(index, before);
      expect(await staged()).toBe("a.txt\n");
      await mustRun(place.otherEngine, ["add", "b.txt"]);
      await fs.writeFile("/workspace/.git/older", before);
      await fs.rename("/workspace/.git/older", index);
      expect(await staged()).toBe("a.txt\n");
      const attempt = place.storage.transaction(async () => {
        await place.run("add", "b.txt");
        expect(await staged()).toBe("a.txt\nb.txt\n");
        throw new Error("rolled back");
      });
      await expect(attempt).rejects.toThrow("rolled back");
      expect(await staged()).toBe("a.txt\n");
      await fs.unlink(index);
      expect(await staged()).toBe("");
    });
  });

  it("sees what another git has committed and packed anew", async () => {
    await inRepository("kept packs", async (place) => {
      const { fs } = place.workspace;
      expect(await subjects(place)).toBe("number 9\nnumber 8\n");
      const packs = async () => (await fs.readdir("/workspace/.git/objects/pack")).filter((n) => n.endsWith(".pack"));
      const before = await packs();
      await fs.writeFile("/workspace/a.txt", "by another\n");
      await mustRun(place.otherEngine, [...who, "commit", "-qam", "by another"]);
      expect(await subjects(place)).toBe("by another\nnumber 9\n");
      await mustRun(place.otherEngine, ["gc", "-q", "--prune=now"]);
      expect(await packs()).not.toEqual(before);
      expect(await subjects(place)).toBe("by another\nnumber 9\n");
      expect(await place.run("show", "HEAD:a.txt")).toBe("by another\n");
      expect(await place.run("fsck", "--strict")).toBe("");
    });
  });

  it("does not answer from memory for a pack that is gone or is another now", async () => {
    await inRepository("kept and gone", async (place) => {
      const { fs, git } = place.workspace;
      await subjects(place);
      const directory = "/workspace/.git/objects/pack";
      const name = (await fs.readdir(directory)).find((file) => file.endsWith(".pack")) as string;
      const bytes = await fs.readFile(`${directory}/${name}`);
      await fs.rename(`${directory}/${name}`, "/workspace/moved");
      expect((await git.cli({ argv: ["log"], cwd: "/workspace" })).exitCode).toBe(128);
      await fs.rename("/workspace/moved", `${directory}/${name}`);
      expect(await subjects(place)).toBe("number 9\nnumber 8\n");
      const size = bytes.length;
      await fs.writeFile(`${directory}/${name}`, new Uint8Array(size), { mode: 0o444 });
      expect((await git.cli({ argv: ["log"], cwd: "/workspace" })).exitCode).toBe(128);
      await fs.writeFile(`${directory}/${name}`, bytes);
      expect(await subjects(place)).toBe("number 9\nnumber 8\n");
    });
  });

  it("knows nothing of what a transaction took back", async () => {
    await inRepository("kept and rolled back", async (place) => {
      const { fs } = place.workspace;
      const commit = async (message: string) => {
        await fs.writeFile("/workspace/a.txt", `${message}\n`);
        await place.run(...who, "commit", "-qam", message);
        await place.run("gc", "-q");
        return subjects(place);
      };
      const attempt = place.storage.transaction(async () => {
        expect(await commit("never")).toBe("never\nnumber 9\n");
        throw new Error("rolled back");
      });
      await expect(attempt).rejects.toThrow("rolled back");
      expect(await subjects(place)).toBe("number 9\nnumber 8\n");
      expect(await commit("ever!")).toBe("ever!\nnumber 9\n");
      expect(await place.run("fsck", "--strict")).toBe("");
    });
  });
});

describe("an object that was evicted between two commands", () => {
  it("reads again what it had, and gives nothing of an earlier life for what was written since", async () => {
    const name = "kept and evicted";
    const evict = () => evictDurableObject(env.BARE.getByName(name));
    let first = 0;
    await inRepository(name, async (place) => {
      first = await place.count(place.otherEngine, "log", "-n", "100");
      expect(await subjects(place)).toBe("number 9\nnumber 8\n");
      expect(await place.count(place.workspace.git, "log", "-n", "100")).toBe(0);
    });
    await evict();
    await inObject(name, async (place) => {
      const { git, fs } = place.workspace;
      // Everything but what the file system itself must learn again is as much as the first time; it is not answered from memory.
      expect(await place.count(git, "log", "-n", "100")).toBeGreaterThanOrEqual(first);
      expect(await place.count(git, "log", "-n", "100")).toBe(0);
      await fs.writeFile("/workspace/a.txt", "in a second life\n");
      await place.run(...who, "commit", "-qam", "in a second life");
      await place.run("gc", "-q", "--prune=now");
      expect(await subjects(place)).toBe("in a second life\nnumber 9\n");
    });
    await evict();
    await inObject(name, async (place) => {
      expect(await subjects(place)).toBe("in a second life\nnumber 9\n");
      expect(await place.run("show", "HEAD:a.txt", "HEAD~1:a.txt")).toBe("in a second life\n9\n");
      expect(await place.run("fsck", "--strict")).toBe("");
    });
  });
});

describe("a checkout from a pack", () => {
  it("writes every file, though the memory of those before is given back and many are the same", async () => {
    await inRepository("checkout gives back", async (place) => {
      const { fs } = place.workspace;
      const content = (i: number) => (i % 3 === 0 ? "the same again\n" : `file ${i} of many\n`).repeat(800);
      const path = (i: number) => `/workspace/d${i % 7}/f${i}`;
      const files = Array.from({ length: 700 }, (_, i) => ({ path: path(i), content: content(i) }));
      await fs.writeMany(files);
      await place.run("add", ".");
      await place.run(...who, "commit", "-qm", "many");
      await place.run("gc", "-q", "--prune=now");
      for (let i = 0; i < 7; i++) await fs.rm(`/workspace/d${i}`, { recursive: true });
      await place.run("checkout", "--", ".");
      for (const { path: at, content: wanted } of files) expect((await fs.readFile(at, "utf8")) === wanted).toBe(true);
      expect(await place.run("status", "--porcelain")).toBe("");
    });
  });
});
