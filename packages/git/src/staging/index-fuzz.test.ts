/** Damaged indexes: an error with a message, or an index that can be written again; never a hang and never another kind of error. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type ScratchRepository, scratchRepository } from "../../test/scratch-repository.ts";
import { GitError } from "../errors.ts";
import { readIndex } from "./read-index.ts";
import { serializeIndex } from "./serialize-index.ts";

const SEED = Number(process.env.FUZZ_SEED ?? 20_260_101);
const ROUNDS = 1500;

/** A small generator with a seed that is printed when something fails. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function damage(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  switch (next(5)) {
    case 0:
      return copy.subarray(0, next(copy.length));
    case 1:
      return Uint8Array.from([...copy.subarray(0, next(copy.length)), ...copy.subarray(next(copy.length))]);
    case 2:
      copy.fill(0xff, next(copy.length), next(copy.length));
      return copy;
    default:
      for (let i = 0; i <= next(8); i++) copy[next(copy.length)] = next(256);
      return copy;
  }
}

async function originals(repo: ScratchRepository): Promise<Uint8Array[]> {
  const read = () => Uint8Array.from(readFileSync(join(repo.path, ".git/index")));
  repo.write({ a: "1", "b/c": "2", "b/d/e": "3", "b-c": "4", ü: "5" });
  repo.git("add", ".");
  repo.git("commit", "-qm", "one");
  const plain = read();
  repo.write({ new: "n" });
  repo.git("add", "-N", "new");
  repo.gitBytes(["update-index", "--index-info"], "100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 1\tst\n");
  const extended = read();
  repo.git("update-index", "--index-version", "4");
  return [plain, extended, read()];
}

it(`readIndex takes what is damaged (seed ${SEED})`, async () => {
  using repo = scratchRepository();
  const opened = await repo.open();
  const next = random(SEED);
  let refused = 0;
  for (const original of await originals(repo)) {
    for (let round = 0; round < ROUNDS; round++) {
      const content = damage(original, next);
      const fs = { ...opened.fs, read: async () => ({ content, version: "1", stat: { mtimeMs: 0 } }) };
      try {
        const index = await readIndex({ ...opened, fs } as unknown as typeof opened);
        serializeIndex(index);
      } catch (error) {
        refused++;
        if (!(error instanceof GitError)) throw new Error(`round ${round}`, { cause: error });
      }
    }
  }
  expect(refused).toBeGreaterThan(ROUNDS / 2);
});
