/**
 * Random sequences with moments remembered along the way: what `at` shows of each is the tree of that moment, to the last time and
 * link count; going back restores it; and the database is sound after all of it.
 */
import { inObject } from "@workspace/testing/in-object";
import { createPastView, type FileSystem, fsck, type Volume } from "@workspace/vfs";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type Operation, sequence } from "./operation.ts";
import { play } from "./play.ts";

const ROOT = "/workspace/one/two";
const RUNS = 40;
const STEPS = 60;

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

const versionOf = (volume: Volume) => volume.versionOf(volume.open().headRev);

async function playWithMoments(
  fs: FileSystem,
  volume: Volume,
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

it(`at shows ${RUNS} random histories as they were`, async () => {
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
    { numRuns: RUNS },
  );
});
