/**
 * Repositories to clone, made from the seed with `git fast-import`: a tree of source-like text and a history of small edits on
 * `main`, and a branch `far` whose tip differs from it in 500 files.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Random } from "../../../support/random.ts";
import { makeCorpus } from "../../worker/corpus.ts";
import { runGit } from "./run-git.ts";

export interface RepositoryShape {
  seed: number;
  files: number;
  /** Mean bytes of a file. */
  size: number;
  commits: number;
  /** Files of 256 KiB that do not compress, each committed on its way and removed with the next commit. */
  artifacts?: number;
}

const FIRST_SECOND = 1_600_000_000;
const FILES_APART = 500;
const ARTIFACT = 256 * 1024;
const WHO = "Bench <bench@example.com>";

export async function makeRepository(folder: string, shape: RepositoryShape): Promise<void> {
  await runGit(folder, ["init", "--quiet", "--bare", "--initial-branch=main", "."]);
  const child = spawn("git", ["fast-import", "--quiet"], { cwd: folder, stdio: ["pipe", "inherit", "inherit"] });
  const ended = once(child, "exit");
  for (const part of history(shape)) if (!child.stdin.write(part)) await once(child.stdin, "drain");
  child.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import exited with ${code}`);
  await runGit(folder, ["repack", "-a", "-d", "-f", "-q", "--window=10"]);
  await runGit(folder, ["pack-refs", "--all"]);
  await runGit(folder, ["config", "http.receivepack", "true"]);
}

function* history({
  seed,
  files: count,
  size,
  commits,
  artifacts = 0,
}: RepositoryShape): Generator<string | Uint8Array> {
  const corpus = makeCorpus("", { seed, files: count, size });
  const random = new Random(seed + 1);
  const files = corpus.files.map(({ path, text }) => ({ path: path.slice(1), lines: text.split("\n") }));
  yield commit("main", 0, "first");
  for (const { path, lines } of files) yield modify(path, lines);
  for (let number = 1; number <= commits; number++) {
    yield commit("main", number, `change ${number}`);
    for (const file of pickSome(files, random.between(1, 5), random)) {
      edit(file.lines, random);
      yield modify(file.path, file.lines);
    }
    if (number < artifacts) yield artifact(number, random);
    if (number > 1 && number <= artifacts) yield `D artifact-${number - 1}.bin\n`;
  }
  yield commit("far", commits + 1, "far away", "refs/heads/main");
  for (const file of pickSome(files, Math.min(FILES_APART, count), random)) {
    const lines = [...file.lines];
    edit(lines, random);
    yield modify(file.path, lines);
  }
}

function commit(branch: string, number: number, message: string, from?: string): string {
  const text = `${message}\n\nWhat was done in number ${number}, and why it had to be.\n`;
  const start = from === undefined ? "" : `from ${from}\n`;
  return `commit refs/heads/${branch}\ncommitter ${WHO} ${FIRST_SECOND + number * 600} +0000\n${data(text)}${start}`;
}

function modify(path: string, lines: readonly string[]): string {
  return `M 100644 inline ${path}\n${data(lines.join("\n"))}`;
}

function artifact(number: number, random: Random): Uint8Array {
  const content = Uint32Array.from({ length: ARTIFACT / 4 }, () => Math.floor(random.next() * 2 ** 32));
  const head = `M 100644 inline artifact-${number}.bin\ndata ${ARTIFACT}\n`;
  return Buffer.concat([Buffer.from(head), new Uint8Array(content.buffer), Buffer.from("\n")]);
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function pickSome<T>(from: readonly T[], count: number, random: Random): T[] {
  const some = new Set<T>();
  while (some.size < count) some.add(random.pick(from));
  return [...some];
}

/** Some new lines somewhere, in place of about as many. */
function edit(lines: string[], random: Random): void {
  for (let left = random.between(1, 4); left > 0; left--) {
    const fresh = Array.from({ length: random.between(2, 40) }, () => freshLine(random));
    lines.splice(random.between(0, lines.length), random.between(0, fresh.length), ...fresh);
  }
}

function freshLine(random: Random): string {
  return Array.from({ length: random.between(2, 8) }, () =>
    Math.floor(random.next() * 2 ** 32).toString(random.between(20, 36)),
  ).join(random.pick([" ", ".", "(", " = "]));
}
