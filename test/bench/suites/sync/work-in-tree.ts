/**
 * The same work in a daemon's tree and in a plain directory beside it, on one file system: what the daemon costs work there. Each
 * piece of work is done in one place and then in the other, in an order that turns with the rounds and with the disk at rest before; each
 * such pair is one ratio, and the median of many is steady where times are not, because the disk's mood changes slower than that.
 */
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const exec = promisify(execFile);

const QUICK_PAIRS = 5;

interface Work {
  label: string;
  /** In a directory that holds the unpacked tree, but for the unpacking itself. */
  script(tarball: string): string;
  /** Undoes it. */
  after?: string;
}

const WORK: readonly Work[] = [
  { label: "unpack 20 000 files", script: (tarball) => `mkdir u && tar xf ${tarball} -C u`, after: "rm -rf u" },
  {
    label: "create 5 000 files",
    script: () => "mkdir c && for i in {1..5000}; do echo $i > c/$i; done",
    after: "rm -rf c",
  },
  { label: "stat 20 000 files", script: () => "find tree -size +1G" },
  { label: "read 20 000 files", script: () => "find tree -type f -print0 | xargs -0 cat > /dev/null" },
  { label: "git status, 20 000 files", script: () => "git -C tree status --short > /dev/null" },
];

/** `note` gets a ratio for each piece of work: in the tree by beside it. A first round warms up and is not measured. */
export async function workInTree(
  base: string,
  tree: string,
  round: number,
  note: (label: string, ratio: number) => void,
): Promise<void> {
  const tarball = await tarballIn(base);
  const places = { tree: join(tree, "work"), beside: join(base, "beside") };
  for (const place of Object.values(places)) {
    mkdirSync(join(place, "tree"), { recursive: true });
    await bash(place, `tar xf ${tarball} -C tree && cd tree && git init -q . && git add -A && git status > /dev/null`);
  }
  const sides = ["tree", "beside"] as const;
  const order = round % 2 === 0 ? sides : sides.toReversed();
  for (const { label, script, after } of WORK) {
    const timed = async (place: string): Promise<number> => {
      const started = performance.now();
      await bash(place, script(tarball));
      const took = performance.now() - started;
      if (after !== undefined) await bash(place, after);
      return took;
    };
    if (round === 0) for (const side of order) await timed(places[side]);
    await exec("sync");
    // What only reads is quick, and so is done more often.
    for (let pair = 0; pair < (after === undefined ? QUICK_PAIRS : 1); pair++) {
      const took = { tree: 0, beside: 0 };
      for (const side of pair % 2 === 0 ? order : order.toReversed()) took[side] = await timed(places[side]);
      note(label, took.tree / took.beside);
    }
  }
  for (const place of Object.values(places)) rmSync(place, { recursive: true, force: true });
}

async function bash(cwd: string, script: string): Promise<void> {
  await exec("/bin/bash", ["-c", script], { cwd });
}

async function tarballIn(base: string): Promise<string> {
  const from = join(base, "many");
  const tarball = join(base, "many.tar");
  for (let d = 0; d < 200; d++) {
    mkdirSync(join(from, `d${d}`), { recursive: true });
    for (let f = 0; f < 100; f++) writeFileSync(join(from, `d${d}`, `f${f}`), "x".repeat(300));
  }
  await exec("tar", ["cf", tarball, "-C", from, "."]);
  rmSync(from, { recursive: true });
  return tarball;
}
