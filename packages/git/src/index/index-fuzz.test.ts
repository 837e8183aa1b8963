/** Damaged indexes: an error with a message, or an index that can be written again; never a hang or another kind of error. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { corruptBytes, FUZZ_SEED, random } from "../../test/corrupt-bytes.ts";
import { type ScratchRepository, scratchRepository } from "../../test/scratch-repository.ts";
import { GitError } from "../errors.ts";
import { readIndex } from "./read-index.ts";
import { serializeIndex } from "./serialize-index.ts";

const ROUNDS = 1500;

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

it(`readIndex takes what is damaged (seed ${FUZZ_SEED})`, async () => {
  using repo = scratchRepository();
  const opened = await repo.open();
  const next = random(FUZZ_SEED);
  let refused = 0;
  for (const original of await originals(repo)) {
    for (let round = 0; round < ROUNDS; round++) {
      const content = corruptBytes(original, next);
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
