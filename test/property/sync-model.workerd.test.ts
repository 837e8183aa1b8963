/**
 * Both sides of a sync under random work and faults: cuts in the middle of a frame, a killed daemon, an evicted object, a full disk,
 * clocks that jump, messages twice and out of order. Every write has bytes of its own. At the end both trees are equal, and every
 * write that was acknowledged is in the tree, in a conflict copy, or was overwritten by a later acknowledged one; nothing else is
 * allowed. Some of it happens in a directory that a default rule names: sync does not promise what a command creates there, and
 * everything else is, wherever it is moved. `PROPERTY_SEED=7 npx vitest run test/property/sync-model` repeats a run.
 */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { CONTAINER_ONLY_REASON, SYNC_LIMITS } from "@workspace/protocol";
import { type DaemonFixture as Daemon, DaemonFixture, run, treeOf } from "@workspace/testing/daemon-fixture";
import type { FileAction, TreeListing } from "@workspace/testing/daemon-service";
import type { Settings } from "@workspace/testing/node-services";
import { createFileSystem, type FileSystem, fsck, openVolume, type WriteView } from "@workspace/vfs";
import { expect, it } from "vitest";
import { openContainer, type WorkspaceContainer } from "../../packages/workspace/src/container/container.ts";
import { Random } from "../support/random.ts";
import { unrulySandbox } from "./sync-wire.ts";

const STEPS = 2400;
const STEPS_BETWEEN_EVICTIONS = 120;
const NAMES = ["a", "b", "c", "A"];
/** A directory of which only what the workspace has is synced. */
const RETAINED = "target";

it(`sync keeps both sides alike and loses nothing over ${STEPS} steps with faults`, {
  timeout: 1_800_000,
}, async () => {
  const settings = (await (await env.SETTINGS.fetch("http://settings")).json()) as Settings;
  const seed = settings.seed;
  console.log(`sync model: ${STEPS} steps, PROPERTY_SEED=${seed}`);
  await using daemon = await DaemonFixture.start();
  const world = new World(daemon, seed);
  const stub = env.BARE.getByName(`sync model ${seed}`);
  try {
    for (let done = 0; done < STEPS; done += STEPS_BETWEEN_EVICTIONS) {
      await runInDurableObject(stub, async (_object, { storage }) => {
        world.open(storage);
        for (let i = 0; i < STEPS_BETWEEN_EVICTIONS; i++) await world.step();
      });
      await evictDurableObject(stub);
    }
    await runInDurableObject(stub, async (_object, { storage }) => {
      world.open(storage);
      await world.settle();
      expect((await fsck(world.volume.store)).problems).toEqual([]);
    });
  } catch (error) {
    throw new Error(`PROPERTY_SEED=${seed}, after:\n${world.history.slice(-40).join("\n")}`, { cause: error });
  }
  console.log(`sync model: ${JSON.stringify(world.counts)}`);
  // A run in which the faults did nothing proves nothing.
  for (const kind of ["failed syncs", "conflicts", "lost containers", "commands", "kept here"])
    expect(world.counts[kind], kind).toBeGreaterThan(0);
});

class World {
  readonly history: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly #daemon: Daemon;
  readonly #random: Random;
  #tokens = 0;
  /** Acknowledged, and overwritten or removed since by another acknowledged write. */
  readonly #acknowledged = new Set<string>();
  readonly #superseded = new Set<string>();
  /** Every write that was ever seen in the workspace, acknowledged or not. */
  readonly #arrived = new Set<string>();
  readonly #starts = new Map<string, string>();
  /** Done in the container and not yet taken: acknowledged with the next sync, gone with the container. */
  #pending: Pending[] = [];
  #container!: WorkspaceContainer;
  #fs!: FileSystem;
  volume!: WriteView;
  #jump = 0;

  constructor(daemon: Daemon, seed: number) {
    this.#daemon = daemon;
    this.#random = new Random(seed);
  }

  open(storage: DurableObjectStorage): void {
    this.volume = openVolume(storage, { now: () => (Date.now() + this.#jump) * 1000 });
    this.#fs = createFileSystem(this.volume, { actor: "model" });
    const sandbox = unrulySandbox(this.#daemon.sandbox, () => this.#random.next(), { twice: 0.05, late: 0.05 });
    this.#container = openContainer(this.volume, { sandbox, idleMs: 50 });
  }

  async step(): Promise<void> {
    const kind = this.#pick<() => Promise<void>>([
      [40, () => this.#workHere()],
      [40, () => this.#workThere()],
      [12, async () => void (await this.#sync())],
      [4, () => this.#command()],
      [3, () => this.#cutSync()],
      [1, () => this.#both()],
      [0.7, () => this.#killDaemon()],
      [0.7, () => this.#fullDisk()],
      [0.7, () => this.#jumpClocks()],
    ]);
    await kind();
    await this.#nothingLost();
  }

  /** The workspace is the truth, so this holds after every step; what an untaken action overwrote may be gone already. */
  async #nothingLost(): Promise<void> {
    const present = new Set(Object.values(await this.#here()).flatMap(tokensOf));
    const excused = new Set(this.#pending.flatMap(({ supersedes }) => supersedes));
    const lost = [...this.#acknowledged].filter(
      (token) => !present.has(token) && !this.#superseded.has(token) && !excused.has(token),
    );
    expect(lost).toEqual([]);
  }

  /** No more faults: after a few rounds nothing moves, and both are the same. */
  async settle(): Promise<void> {
    await this.#daemon.disturb({ full: false, jump: 0 });
    await this.#daemon.cut();
    for (let round = 0; round < 5; round++) expect(await this.#sync()).toBe(true);
    const report = await this.#container.sync();
    expect({ pushed: report.pushed.entries, pulled: report.pulled.entries, conflicts: report.conflicts }).toEqual({
      pushed: 0,
      pulled: 0,
      conflicts: [],
    });
    const here = await treeOf(this.#fs);
    const there = Object.entries(await this.#daemon.tree());
    // The container's own entry stays where the workspace has another of that name, and every report names it.
    const blocked = report.skipped.filter(({ reason }) => /in the way of the workspace's/.test(reason));
    const isBlocked = (entry: string) =>
      blocked.some(({ path }) => `/workspace/${entry}` === path || `/workspace/${entry}`.startsWith(`${path}/`));
    expect(blocked.filter(({ path }) => !isRetained(path))).toEqual([]);
    const shared = there.filter(([path]) => !isBlocked(path) && (path in here || !isRetained(path)));
    expect(Object.fromEntries(shared)).toEqual(
      Object.fromEntries(Object.entries(here).filter(([path]) => !isBlocked(path))),
    );
    this.#count("kept there", there.length - Object.keys(here).length);
    const present = new Set(Object.values(here).flatMap(tokensOf));
    const lost = [...this.#acknowledged].filter((token) => !present.has(token) && !this.#superseded.has(token));
    const traces = lost.map((token) => {
      const at = this.history.findIndex((line) => line.endsWith(token));
      return this.history.slice(at, at + 60);
    });
    expect(lost, JSON.stringify(traces)).toEqual([]);
    this.#count("writes", this.#acknowledged.size);
  }

  async #workHere(): Promise<void> {
    const { path, to, act } = this.#action();
    const at = `/workspace/${path}`;
    const before = await this.#here();
    const places = [...(await this.#placesOf(path)), ...(await this.#placesOf(to))];
    const token = `here-${++this.#tokens}`;
    try {
      if (act === "write") await this.#fs.writeMany([{ path: at, content: token, mode: 0o644 }]);
      else if (act === "append") await this.#fs.writeFile(at, large(token), { ifVersion: null });
      else if (act === "rm") await this.#fs.rm(at, { recursive: true });
      else if (act === "rename") await this.#fs.rename(at, `/workspace/${to}`);
      else if (act === "mkdir") await this.#fs.mkdir(at, { recursive: true });
      else if (act === "symlink") await this.#fs.symlink(to, at);
      else await this.#fs.chmod(at, this.#random.chance(0.5) ? 0o755 : 0o600);
    } catch (error) {
      if (typeof (error as { code?: string }).code !== "string") throw error;
      return;
    }
    this.history.push(`here ${act} ${path} ${to} ${token}`);
    // Only what stood at these places: a sync on its way may change others meanwhile.
    const after = await this.#here();
    for (const gone of difference(below(before, places), after)) this.#superseded.add(gone);
    if (act === "write" || act === "append") this.#acknowledged.add(token);
  }

  async #workThere(): Promise<void> {
    const { path, to, act } = this.#action();
    const token = `there-${++this.#tokens}`;
    const actions: Record<string, FileAction> = {
      write: { do: "write", path, bytes: btoa(token), mode: 0o644 },
      append: { do: "write", path, bytes: btoa(large(token)) },
      rm: { do: "rm", path },
      rename: { do: "rename", path, to },
      mkdir: { do: "mkdir", path },
      symlink: { do: "symlink", path, target: to },
      chmod: { do: "chmod", path, mode: this.#random.chance(0.5) ? 0o755 : 0o600 },
    };
    let trees: { before: TreeListing; after: TreeListing };
    try {
      trees = await this.#daemon.doAndNotify(actions[act] as FileAction);
    } catch (error) {
      // As a command that was refused; half of an action (its directories) may be there.
      // Node names no code when `rmSync` meets a ring of links.
      if (!/E[A-Z]+:|levels of symbolic links/.test(String(error))) throw error;
      return;
    }
    const { before, after } = trees;
    this.history.push(`there ${act} ${path} ${to} ${token}`);
    // What is moved to where files stay, before a sync has seen it, counts as created there.
    for (const action of this.#pending) {
      const { token } = action;
      if (token === null) continue;
      const paths = Object.keys(after).filter((each) => tokensOf(after[each] as string).includes(token));
      if (paths.length > 0 && paths.every(isRetained)) action.isRetained = true;
    }
    const written = Object.entries(after).find(([, entry]) => tokensOf(entry).includes(token))?.[0];
    this.#pending.push({
      token: written === undefined ? null : token,
      isRetained: written !== undefined && isRetained(written),
      supersedes: difference(before, after),
    });
  }

  async #sync(): Promise<boolean> {
    const taken = this.#pending.length;
    try {
      const report = await this.#container.sync();
      const complete = report.skipped.every(({ reason }) => !/still being written|changing while/.test(reason));
      if (complete) await this.#acknowledge(taken);
      this.#count("conflicts", report.conflicts.length);
      this.#count("syncs");
      this.history.push(`sync ${JSON.stringify(report)}`);
      return true;
    } catch (error) {
      if ((error as Error).name !== "ContainerError") throw error;
      this.history.push(`sync failed: ${(error as Error).message}`);
      await this.#here();
      this.#count("failed syncs");
      return false;
    }
  }

  async #acknowledge(count: number): Promise<void> {
    const here = await this.#here();
    this.#count("kept here", Object.keys(here).filter(isRetained).length);
    const left = new Set(Object.values(here).flatMap(tokensOf));
    for (const { token, isRetained, supersedes } of this.#pending.splice(0, count)) {
      if (token !== null && (!isRetained || left.has(token))) this.#acknowledged.add(token);
      // What stayed against a removal there is still promised.
      for (const gone of supersedes) if (!left.has(gone)) this.#superseded.add(gone);
    }
  }

  /**
   * The container is gone, with what was not taken. A sync that failed may have taken some of it: then what an action overwrote is
   * gone here only if what overwrote it, or the end of the chain of those, is known to have arrived. Anything else is a loss.
   */
  async #forgetPending(): Promise<void> {
    const left = new Set(Object.values(await this.#here()).flatMap(tokensOf));
    const arrived = ({ token, isRetained: isKept }: Pending): boolean =>
      token === null ||
      isKept ||
      this.#arrived.has(token) ||
      this.#pending.some((later) => later.supersedes.includes(token) && arrived(later));
    for (const action of this.#pending)
      for (const gone of action.supersedes) if (!left.has(gone) && arrived(action)) this.#superseded.add(gone);
    this.#pending = [];
  }

  /** Where a path leads, through links above it and as a link itself. */
  async #placesOf(path: string): Promise<string[]> {
    const slash = path.lastIndexOf("/");
    const real = async (of: string) => {
      try {
        return (await this.#fs.realpath(`/workspace/${of}`)).slice("/workspace/".length);
      } catch {
        return null;
      }
    };
    const [whole, parent] = [await real(path), slash < 0 ? "" : await real(path.slice(0, slash))];
    const name = path.slice(slash + 1);
    return [
      path,
      ...(whole === null ? [] : [whole]),
      ...(parent === null ? [] : [parent === "" ? name : `${parent}/${name}`]),
    ];
  }

  /** The workspace's files by what they begin with. A content is read once: its version stands for it. */
  async #here(prefix = "", tree: TreeListing = {}): Promise<TreeListing> {
    for (const { name, stat } of await this.#fs.scan(`/workspace${prefix === "" ? "" : `/${prefix}`}`)) {
      const path = prefix === "" ? name : `${prefix}/${name}`;
      if (stat.type === "dir") await this.#here(path, tree);
      if (stat.type !== "file") continue;
      let start = this.#starts.get(stat.contentVersion);
      if (start === undefined) {
        start = btoa((await this.#fs.readFile(`/workspace/${path}`, "latin1")).slice(0, 48));
        this.#starts.set(stat.contentVersion, start);
      }
      tree[path] = `file 0 ${start}`;
      for (const token of tokensOf(tree[path])) this.#arrived.add(token);
    }
    return tree;
  }

  /** A real command between two syncs. Its own write counts when its result says so. */
  async #command(): Promise<void> {
    const token = `command-${++this.#tokens}`;
    const name = this.#name();
    const pending = this.#pending.length;
    try {
      const { exit, stdout } = await run(
        this.#container,
        `head -n 1 ${name} 2>/dev/null; printf %s ${token} > ${name} && printf '\\n%s' "$(realpath ${name})"`,
      );
      const [over, place = ""] = stdout.split(/\n(?=[^\n]*$)/);
      this.#count("commands");
      this.history.push(`command ${name} ${token} over ${over} at ${place} ${JSON.stringify(exit)}`);
      const wrote = exit.exitCode === 0;
      const supersedes = wrote && over !== "" ? [(over as string).trim()] : [];
      this.#pending.push({ token: wrote ? token : null, isRetained: isRetained(place), supersedes });
      const isWhole = exit.sync?.skipped.every(({ reason }) => reason.startsWith(CONTAINER_ONLY_REASON));
      if (exit.state !== "lost" && isWhole) await this.#acknowledge(pending + 1);
    } catch (error) {
      if ((error as Error).name !== "ContainerError") throw error;
      this.#count("refused commands");
    }
  }

  async #cutSync(): Promise<void> {
    await this.#daemon.cut(Math.floor(this.#random.next() ** 3 * 400_000));
    await this.#sync();
    await this.#daemon.cut();
  }

  /** Work on both sides while a sync is on its way. */
  async #both(): Promise<void> {
    const syncing = this.#sync();
    for (let i = 0; i < 5; i++) await this.#workHere();
    await syncing;
  }

  async #killDaemon(): Promise<void> {
    const syncing = this.#random.chance(0.5) ? this.#container.sync().catch(() => {}) : null;
    await this.#daemon.restart();
    await syncing;
    await this.#forgetPending();
    this.history.push("killed");
    this.#count("lost containers");
  }

  async #fullDisk(): Promise<void> {
    await this.#daemon.disturb({ full: true });
    await this.#workHere();
    await this.#sync();
    await this.#daemon.disturb({ full: false });
  }

  async #jumpClocks(): Promise<void> {
    const far = () => Math.floor((this.#random.next() - 0.5) * 7_200_000);
    await this.#daemon.disturb({ jump: far() });
    this.#jump = far();
  }

  #action(): { path: string; to: string; act: string } {
    const act = this.#pick([
      [50, "write"],
      [4, "append"],
      [10, "rm"],
      [12, "rename"],
      [8, "mkdir"],
      [6, "symlink"],
      [8, "chmod"],
    ]);
    return { act, path: this.#path(["rm", "rename", "mkdir", "chmod"].includes(act)), to: this.#path() };
  }

  /** Nothing but a directory has the name that the rule names: a file of it would be in the way of one that only the container has. */
  #path(mayEndRetained = false): string {
    const depth = 1 + this.#random.below(3);
    const name = (at: number) =>
      this.#random.chance(0.15) && (at < depth - 1 || mayEndRetained) ? RETAINED : this.#name();
    return Array.from({ length: depth }, (_, at) => name(at)).join("/");
  }

  #name(): string {
    return this.#random.pick(NAMES);
  }

  #pick<T>(weighted: readonly (readonly [number, T])[]): T {
    let at = this.#random.next() * weighted.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of weighted) if ((at -= weight) < 0) return value;
    return (weighted[0] as readonly [number, T])[1];
  }

  #count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }
}

interface Pending {
  /** What it wrote; null for a removal. */
  token: string | null;
  /** In a directory that a default rule names. */
  isRetained: boolean;
  supersedes: string[];
}

function isRetained(path: string): boolean {
  return path.split("/").includes(RETAINED);
}

/** The entries at these paths and below them. */
function below(tree: TreeListing, paths: readonly string[]): TreeListing {
  const isBelow = (entry: string) => paths.some((path) => entry === path || entry.startsWith(`${path}/`));
  return Object.fromEntries(Object.entries(tree).filter(([entry]) => isBelow(entry)));
}

/** More than travels with its entry. */
function large(token: string): string {
  return `${token}\n`.repeat(Math.ceil((1.1 * SYNC_LIMITS.inlineBytes) / token.length));
}

/** Tokens of `before` that are nowhere in `after`. */
function difference(before: TreeListing, after: TreeListing): string[] {
  const left = new Set(Object.values(after).flatMap(tokensOf));
  return Object.values(before)
    .flatMap(tokensOf)
    .filter((token) => !left.has(token));
}

function tokensOf(entry: string): string[] {
  const content = /^file \d+ (\S*)/.exec(entry)?.[1];
  return content === undefined || content === "" ? [] : [atob(content).split("\n")[0] as string];
}
