/** The files that hostile inputs name. */
import type { FileSystem } from "@workspace/vfs";

export async function writeHostileFiles(fs: FileSystem, root: string): Promise<void> {
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, i) => `line ${(i * 7919) % 1_000_003}\n`).join("");
  await fs.writeFile(`${root}/g`, "line\n");
  await fs.writeFile(`${root}/lines`, numbered(1_000_000));
  await fs.writeFile(`${root}/lines5`, numbered(100_000));
  await fs.writeFile(`${root}/big`, "abcdefghij\n".repeat(1_800_000));
  await fs.writeFile(`${root}/one`, "a".repeat(5_000_000));
  const records = Array.from({ length: 100_000 }, (_, id) => ({ id, name: `n${id}` }));
  await fs.writeFile(`${root}/j.json`, JSON.stringify(records));
  const run = (char: string) => `${char.repeat(1_000_000)}x`;
  await fs.writeFile(`${root}/feeds`, run("\n"));
  await fs.writeFile(`${root}/slashes`, run("/"));
  await fs.writeFile(`${root}/ones`, run("1"));
  await fs.writeFile(`${root}/bees`, run("b"));
  await fs.writeFile(`${root}/sizes`, `${run("1")}\n1\n`);
  await fs.writeFile(`${root}/sums`, `a${run(" ").slice(0, -1)}\u2028\n`);
}
