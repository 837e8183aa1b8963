/** The repositories of the suite `git`, created once per seed and cached in node_modules/.cache: they take a minute. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeRepository, type RepositoryShape } from "./make-repository.ts";

const SHAPES: Readonly<Record<string, Omit<RepositoryShape, "seed">>> = {
  /** About 40 000 objects in a pack of 35 MB. */
  history: { files: 2000, size: 17_000, commits: 2480 },
  wide: { files: 20_000, size: 3000, commits: 20 },
  /** For warming up. */
  small: { files: 200, size: 3000, commits: 30 },
  /** The tree of `history`, with more behind it: a pack of 150 MB. */
  large: { files: 2000, size: 17_000, commits: 4000, artifacts: 400 },
};

/** The folder that holds `<name>.git` for each of them. */
export async function gitRepositories(
  cache: string,
  seed: number,
  names: readonly string[] = ["history", "wide", "small"],
): Promise<string> {
  const folder = join(cache, `bench-git-${seed}`);
  for (const [name, shape] of Object.entries(SHAPES)) {
    if (!names.includes(name)) continue;
    const repository = join(folder, `${name}.git`);
    if (existsSync(repository)) continue;
    const unfinished = `${repository}.tmp`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    await makeRepository(unfinished, { seed, ...shape });
    renameSync(unfinished, repository);
  }
  return folder;
}
