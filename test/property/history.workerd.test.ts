/**
 * PROPERTY_SEED repeats a run. Random sequences with moments remembered along the way: what `at` shows of each is the tree of that moment, to the last time and
 * link count; going back restores it; and the database is sound after all of it.
 */
import { env } from "cloudflare:workers";
import { inObject } from "@workspace/testing/in-object";
import {
  createFileSystem,
  createHistory,
  createPastView,
  createSnapshots,
  type FileSystem,
  fsck,
  gc,
  type WriteView,
} from "@workspace/vfs";
import * as fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { Settings } from "../support/workerd/node-services.ts";
import { type Operation, sequence } from "./operation.ts";
import { play } from "./play.ts";

const ROOT = "/workspace/one/two";
const RUNS = 40;
const STEPS = 60;

/** fast-check prints it with what failed. */
let seed = 0;

beforeAll(async () => {
  const settings = (await (await env.SETTINGS.fetch("http://settings")).json()) as Settings;
  seed = settings.seed;
  console.log(`histories: PROPERTY_SEED=${seed}`);
});

interface Moment {
  readonly version: string;
  readonly tree: string[];
}

/** Everything that `stat` says, and every byte. */
async function dump(fs: FileSystem): Promise<string[]> {
  const lines: string[] = [];
  const walk = async (directory: string) => {
    for (const { name, stat } of await fs.scan(directory)) {
      const path = `${directory}/${name}`;
      const { ino, mode, size, nlink, mtimeMs, ctimeMs, birthtimeMs, version, contentVersion } = stat;
      const own = stat.isFile()
        ? new TextDecoder("latin1").decode(await fs.readFile(path))
        : stat.isSymbolicLink()
          ? `-> ${await fs.readlink(path)}`
          : "";
      lines.push(
        JSON.stringify({ path, ino, mode, size, nlink, mtimeMs, ctimeMs, birthtimeMs, version, contentVersion, own }),
      );
      if (stat.isDirectory()) await walk(path);
    }
  };
  await walk("/workspace");
  return lines;
}

const versionOf = (volume: WriteView) => volume.revisions.format(volume.ensureOpen().revisions.head);

async function playWithMoments(
  fs: FileSystem,
  volume: WriteView,
  operations: Operation[],
  every: number,
): Promise<Moment[]> {
  const moments: Moment[] = [];
  for (let i = 0; i < operations.length; i += every) {
    await play(fs, ROOT, operations.slice(i, i + every));
    moments.push({ version: versionOf(volume), tree: await dump(fs) });
  }
  return moments;
}

it(`history.at shows past states of ${RUNS} random histories`, async () => {
  await fc.assert(
    fc.asyncProperty(sequence(STEPS), fc.integer({ min: 3, max: 12 }), async (operations, every) => {
      let clock = 1_700_000_000_000_000;
      await inObject(
        async ({ fs, volume }) => {
          const moments = await playWithMoments(fs, volume, operations, every);
          for (const { version, tree } of moments) expect(await dump(createPastView(volume, version).fs)).toEqual(tree);
          expect((await fsck(volume)).problems).toEqual([]);
        },
        { now: () => (clock += 1_000_000) },
      );
    }),
    { numRuns: RUNS, seed },
  );
});

/** Without what a change always changes: the time of the change itself, and versions. */
function lasting(tree: readonly string[]): string[] {
  return tree.map((line) => {
    const { ctimeMs: _c, version: _v, contentVersion: _w, ...rest } = JSON.parse(line) as Record<string, unknown>;
    return JSON.stringify(rest);
  });
}

it(`restore returns to any moment of ${RUNS} random histories with restores and undos`, async () => {
  const choice = fc.array(fc.nat({ max: 99 }), { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(sequence(STEPS), fc.integer({ min: 4, max: 12 }), choice, async (operations, every, choices) => {
      let clock = 1_700_000_000_000_000;
      await inObject(
        async ({ fs, volume }) => {
          const snapshots = createSnapshots(volume, { actor: "restorer" });
          const history = createHistory(volume, { actor: "undoer" });
          const moments: { id: string; tree: string[] }[] = [];
          const remember = async () => {
            moments.push({ id: (await snapshots.create()).id, tree: await dump(fs) });
          };
          let turn = 0;
          for (let i = 0; i < operations.length; i += every) {
            await play(fs, ROOT, operations.slice(i, i + every));
            await remember();
            if (turn < choices.length / 2) {
              const { id, tree } = moments[(choices[turn++] as number) % moments.length] as (typeof moments)[number];
              const before = await dump(fs);
              const { group } = await snapshots.restore(id);
              expect(lasting(await dump(fs))).toEqual(lasting(tree));
              await remember();
              if (group !== null && turn % 2 === 0) {
                await history.undo({ group });
                expect(lasting(await dump(fs))).toEqual(lasting(before));
                await remember();
              }
            }
          }
          expect((await fsck(volume)).problems).toEqual([]);
          // Snapshots are pinned: dropping all unpinned history removes nothing that they need.
          await gc(volume, { retention: { entries: 0 } });
          expect((await fsck(volume)).problems).toEqual([]);
          for (const pick of choices) {
            const { id, tree } = moments[pick % moments.length] as (typeof moments)[number];
            expect(await dump(createPastView(volume, id).fs)).toEqual(tree);
            await snapshots.restore(id);
            expect(lasting(await dump(fs))).toEqual(lasting(tree));
            const again = await snapshots.restore(id);
            expect(again).toMatchObject({ total: 0, group: null });
          }
          expect((await fsck(volume)).problems).toEqual([]);
        },
        { now: () => (clock += 1_000_000) },
      );
    }),
    { numRuns: RUNS, seed },
  );
});

it(`undo reverts any call of ${RUNS} random histories, or gives a reason and changes nothing`, async () => {
  const choice = fc.array(fc.nat({ max: 99 }), { minLength: 10, maxLength: 10 });
  let undone = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(sequence(STEPS), choice, async (operations, choices) => {
      let clock = 1_700_000_000_000_000;
      await inObject(
        async ({ volume, fs }) => {
          const calls = 12;
          const each = Math.ceil(operations.length / calls);
          for (let call = 0; call < calls; call++) {
            const own = createFileSystem(volume, { callId: `call ${call}` });
            await play(own, ROOT, operations.slice(call * each, (call + 1) * each));
          }
          const history = createHistory(volume);
          for (const [i, pick] of choices.entries()) {
            const before = await dump(fs);
            const options = { callId: `call ${calls - 1 - (pick % calls)}`, force: i % 5 === 4, merge: i % 5 === 3 };
            const dry = await history
              .undo({ ...options, dryRun: true })
              .catch((error: { code?: string }) => error.code);
            expect(await dump(fs)).toEqual(before);
            if (typeof dry === "string" || dry === undefined) {
              expect([dry, (await history.log({ callId: options.callId })).entries]).toEqual(["ENOENT", []]);
              continue;
            }
            const done = await history.undo(options).catch((error: { code?: string }) => error.code);
            if (typeof done === "string" || done === undefined) {
              expect([done, dry.conflicts.length > 0]).toEqual(["ECONFLICT", true]);
              expect(await dump(fs)).toEqual(before);
              refused++;
              continue;
            }
            undone++;
            expect(done.changes).toEqual(dry.changes);
            expect((await fsck(volume)).problems).toEqual([]);
            if (done.group !== null && i % 2 === 0) {
              const after = await dump(fs);
              const again = await history.undo({ group: done.group }).catch((error: { code?: string }) => error.code);
              // What force took out of a directory that was removed has nowhere to go back to.
              if (options.force && again === "ECONFLICT") expect(await dump(fs)).toEqual(after);
              else expect([typeof again, ...lasting(await dump(fs))]).toEqual(["object", ...lasting(before)]);
            }
          }
          expect((await fsck(volume)).problems).toEqual([]);
        },
        { now: () => (clock += 1_000_000) },
      );
    }),
    { numRuns: RUNS, seed },
  );
  // Histories in which nothing could be undone, or everything, would prove little.
  expect(Math.min(undone, refused)).toBeGreaterThan(RUNS);
});

it(`restore of a path restores what was at and below it, and nothing else, in ${RUNS} random histories`, async () => {
  /** A copy is another inode, with a name of its own. */
  const shape = (tree: readonly string[], path: string, inside: boolean, except = new Set<unknown>()) =>
    tree.flatMap((line) => {
      const { path: at, mode, size, mtimeMs, ino, own } = JSON.parse(line) as Record<string, unknown>;
      const under = isUnder(at as string, path);
      const above = path.startsWith(`${at as string}/`);
      return under === inside && !above && !except.has(ino) ? [JSON.stringify({ at, mode, size, mtimeMs, own })] : [];
    });
  await fc.assert(
    fc.asyncProperty(sequence(30), sequence(30), fc.constantFrom("a", "b", "a/b", "f"), async (first, second, name) => {
      let clock = 1_700_000_000_000_000;
      await inObject(
        async ({ volume, fs }) => {
          const path = `${ROOT}/${name}`;
          await play(fs, ROOT, first);
          const snapshots = createSnapshots(volume);
          const { id } = await snapshots.create();
          const then = await dump(fs);
          await play(fs, ROOT, second);
          const before = await dump(fs);
          // Through a link the path means another place, then or now.
          if ([...then, ...before].some((line) => isLinkAbove(line, path))) return;
          const refused = await snapshots.restore(id, { paths: [path] }).then(
            () => null,
            (error: { code?: string }) => error.code,
          );
          const after = await dump(fs);
          if (refused !== null) {
            // Something else than a directory is where the path leads through now.
            expect([refused, after]).toEqual(["EEXIST", before]);
            return;
          }
          expect(shape(after, path, true)).toEqual(shape(then, path, true));
          const retained = new Set(shape(after, path, false));
          // What has a name inside too, or gets it back, is changed with it.
          const linked = new Set(
            after.map((line) => JSON.parse(line)).flatMap((one) => (isUnder(one.path, path) ? [one.ino] : [])),
          );
          expect(
            shape(before, path, false, linked).filter((line) => !retained.has(line) && !isDirectoryLine(line)),
          ).toEqual([]);
          expect((await fsck(volume)).problems).toEqual([]);
        },
        { now: () => (clock += 1_000_000) },
      );
    }),
    { numRuns: RUNS, seed },
  );
});

const isUnder = (at: string, path: string) => at === path || at.startsWith(`${path}/`);

const isLinkAbove = (line: string, path: string) => {
  const { path: at, mode } = JSON.parse(line) as { path: string; mode: number };
  return path.startsWith(`${at}/`) && (mode & 0o170000) === 0o120000;
};

const isDirectoryLine = (line: string) => ((JSON.parse(line) as { mode: number }).mode & 0o170000) === 0o040000;
