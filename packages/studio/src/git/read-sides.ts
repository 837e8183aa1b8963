/** The two texts of a change: git's and the working tree's; for a commit, its parent's and its own. */
import { asApiError } from "../api/api-error.ts";
import { readFile } from "../api/files.ts";
import { runGit } from "../api/git.ts";
import type { Commit } from "./read-commits.ts";
import type { Change } from "./read-status.ts";

export interface Sides {
  before: string;
  after: string;
  /** One of them is not text: there is no side-by-side diff. */
  binary: boolean;
}

export async function treeSides(
  workspace: string,
  change: Change,
  staged: boolean,
  signal: AbortSignal,
): Promise<Sides> {
  const { path, from = path, letter } = change;
  if (staged) {
    const before = letter === "A" ? nothing : blob(workspace, `HEAD:${from}`, signal);
    const after = letter === "D" ? nothing : blob(workspace, `:0:${path}`, signal);
    return sides(await Promise.all([before, after]));
  }
  const before = letter === "?" ? nothing : blob(workspace, letter === "U" ? `HEAD:${path}` : `:0:${path}`, signal);
  return sides(await Promise.all([before, working(workspace, path, signal)]));
}

export async function commitSides(
  workspace: string,
  commit: Commit,
  change: Change,
  signal: AbortSignal,
): Promise<Sides> {
  const { path, from = path, letter } = change;
  const [parent] = commit.parents;
  const before = letter === "A" || parent === undefined ? nothing : blob(workspace, `${parent}:${from}`, signal);
  const after = letter === "D" ? nothing : blob(workspace, `${commit.oid}:${path}`, signal);
  return sides(await Promise.all([before, after]));
}

interface Text {
  text: string;
  binary: boolean;
}

const nothing: Promise<Text> = Promise.resolve({ text: "", binary: false });

/** A missing blob is empty. */
async function blob(workspace: string, name: string, signal: AbortSignal): Promise<Text> {
  const { exitCode, stdout, binary } = await runGit(workspace, ["cat-file", "blob", name], { signal });
  if (exitCode !== 0) return { text: "", binary: false };
  return { text: stdout, binary: binary || stdout.includes("\0") };
}

async function working(workspace: string, path: string, signal: AbortSignal): Promise<Text> {
  try {
    const { bytes } = await readFile(workspace, path, signal);
    const text = new TextDecoder().decode(bytes);
    return { text, binary: text.slice(0, 8192).includes("\0") };
  } catch (failure) {
    if (asApiError(failure).status === 404) return { text: "", binary: false };
    throw failure;
  }
}

function sides([before, after]: [Text, Text]): Sides {
  return { before: before.text, after: after.text, binary: before.binary || after.binary };
}
