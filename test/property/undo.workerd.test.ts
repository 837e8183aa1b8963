/**
 * PROPERTY_SEED repeats a run. Random sequences of calls, restores and undos. The last of them is undone with nothing in between:
 * that needs no force, conflicts with nothing, and gives back exactly the tree before it. Undoing that undo gives back the tree after it.
 */
import { env } from "cloudflare:workers";
import { inObject } from "@workspace/testing/in-object";
import {
  createFileSystem,
  createHistory,
  createSnapshots,
  type FileSystem,
  fsck,
  gc,
  type RevertResult,
  type UndoOptions,
  type WriteView,
} from "@workspace/vfs";
import * as fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { Settings } from "../support/workerd/node-services.ts";
import { type Operation, sequence } from "./operation.ts";
import { play } from "./play.ts";

const ROOT = "/workspace/one/two";
const OTHERS = "/workspace/others";
const RUNS = 60;
/** Operations before the first turn. */
const MAKING = 12;

/** fast-check prints it with what failed. */
let seed = 0;
let runs = RUNS;

beforeAll(async () => {
  const settings = (await (await env.SETTINGS.fetch("http://settings")).json()) as Settings;
  seed = settings.seed;
  runs = Number(settings.runs ?? RUNS);
  console.log(`undos: PROPERTY_SEED=${seed}`);
});

/** Everything that a reversal gives back: all but the time of change and versions, which every change sets. */
async function treeOf(fs: FileSystem): Promise<string[]> {
  const lines: string[] = [];
  const walk = async (directory: string) => {
    for (const { name, stat } of await fs.scan(directory)) {
      const path = `${directory}/${name}`;
      const { ino, mode, size, nlink, mtimeMs, birthtimeMs } = stat;
      const own = stat.isFile()
        ? new TextDecoder("latin1").decode(await fs.readFile(path))
        : stat.isSymbolicLink()
          ? await fs.readlink(path)
          : "";
      lines.push(JSON.stringify({ path, ino, mode, size, nlink, mtimeMs, birthtimeMs, own }));
      if (stat.isDirectory()) await walk(path);
    }
  };
  await walk("/workspace/one");
  return lines;
}

/** What makes a group: a call of some operations, a restore of a moment that was remembered, whole or of a path, or an undo of an earlier call. */
type Turn =
  | { readonly kind: "call"; readonly operations: number; readonly named: boolean }
  | { readonly kind: "restore"; readonly moment: number; readonly path: string | null }
  | { readonly kind: "undo"; readonly call: number; readonly force: boolean };

const turn: fc.Arbitrary<Turn> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      operations: fc.integer({ min: 1, max: 8 }),
      named: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("restore" as const),
      moment: fc.nat({ max: 99 }),
      path: fc.constantFrom(null, null, null, "a", "b", "a/b", "f"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("undo" as const), call: fc.nat({ max: 99 }), force: fc.boolean() }),
  },
);

/** How often the turn is undone: the second time, the undo is. */
interface Played {
  readonly turn: Turn;
  readonly times: number;
}

const played: fc.Arbitrary<Played> = fc.record({ turn, times: fc.integer({ min: 1, max: 4 }) });

class Player {
  readonly #volume: WriteView;
  readonly #operations: Operation[];
  readonly #moments: string[] = [];
  readonly #calls: string[] = [];
  #next = 0;

  constructor(volume: WriteView, operations: Operation[]) {
    this.#volume = volume;
    this.#operations = operations;
  }

  /** Plays a turn; how to undo it, or null when it changed nothing. */
  async play(turn: Turn): Promise<UndoOptions | null> {
    const snapshots = createSnapshots(this.#volume);
    const before = this.#volume.ensureOpen().revisions.head;
    const undo = await this.#take(turn);
    if (undo !== null) this.#moments.push((await snapshots.create()).id);
    return this.#volume.revisions.head === before ? null : undo;
  }

  async #take(turn: Turn): Promise<UndoOptions | null> {
    const { head: headRev } = this.#volume.revisions;
    if (turn.kind === "call") {
      const operations = this.#operations.slice(this.#next, (this.#next += turn.operations));
      if (!turn.named) {
        await play(createFileSystem(this.#volume), ROOT, operations);
        return { since: this.#volume.revisions.format(Math.max(headRev, 4)) };
      }
      const callId = `call ${this.#calls.push("") - 1}`;
      await play(createFileSystem(this.#volume, { callId }), ROOT, operations);
      return { callId };
    }
    if (turn.kind === "restore") {
      const moment = this.#moments[turn.moment % this.#moments.length];
      if (moment === undefined) return null;
      const paths = turn.path === null ? {} : { paths: [`${ROOT}/${turn.path}`] };
      return groupOf(createSnapshots(this.#volume).restore(moment, paths));
    }
    const callId = `call ${turn.call % Math.max(1, this.#calls.length)}`;
    return groupOf(createHistory(this.#volume).undo({ callId, force: turn.force }));
  }
}

/** What was refused has changed nothing. */
async function groupOf(reverting: Promise<RevertResult>): Promise<UndoOptions | null> {
  const { group } = await reverting.catch((error: { code?: string }) => {
    if (["ECONFLICT", "ENOENT", "EEXIST", "ENOTDIR", "ELOOP"].includes(error.code ?? "")) return { group: null };
    throw error;
  });
  return group === null ? null : { group };
}

/** `meanwhile`: another actor changes other files between a turn and each undo. */
async function undoLast(operations: Operation[], turns: readonly Played[], meanwhile: boolean): Promise<void> {
  let clock = 1_700_000_000_000_000;
  let calls = 0;
  await inObject(
    async ({ fs, volume, storage }) => {
      await play(fs, ROOT, operations.slice(0, MAKING));
      await fs.mkdir(OTHERS, { recursive: true });
      const background = createFileSystem(volume, { callId: "background" });
      const player = new Player(volume, operations.slice(MAKING));
      const history = createHistory(volume);
      let file = 0;
      for (const { turn, times } of turns) {
        const before = await treeOf(fs);
        const undo = await player.play(turn);
        if (undo === null) continue;
        const trees = [before, await treeOf(fs)];
        let next: UndoOptions = undo;
        for (let i = 0; i < times; i++) {
          if (meanwhile) await background.writeFile(`${OTHERS}/${file++}`, "theirs");
          const { group } = await history.undo(next);
          expect(await treeOf(fs)).toEqual(trees[i % 2]);
          if (group === null) break;
          next = { group };
        }
      }
      expect((await fsck(volume)).problems).toEqual([]);
      for (const { id } of await createSnapshots(volume).list()) await createSnapshots(volume).remove(id);
      await gc(volume, { retention: { entries: 0 } });
      expect((await fsck(volume)).problems).toEqual([]);
      expect(storage.sql.exec("SELECT ino FROM ws_inode WHERE nlink = 0").toArray()).toEqual([]);
    },
    // Several changes at the same time, now and then.
    { now: () => (clock += calls++ % 3 === 0 ? 0 : 1_000_000) },
  );
}

it.each([
  ["nothing", false],
  ["changes of others to other files", true],
])(`undo reverts the last turn of ${RUNS} random histories without force, with %s in between`, async (_, meanwhile) => {
  await fc.assert(
    fc.asyncProperty(sequence(60), fc.array(played, { minLength: 4, maxLength: 10 }), (operations, turns) =>
      undoLast(operations, turns, meanwhile),
    ),
    { numRuns: runs, seed },
  );
});
