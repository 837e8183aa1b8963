/** Parses `-L` of `git log`: line ranges of files, as of the commit at which the log starts. */
import { defaultFunctionName, splitLines } from "@workspace/text";
import { openDiffDrivers } from "../../diff/diff-drivers.ts";
import type { Range } from "../../diff/line-range-change.ts";
import { GitError } from "../../errors.ts";
import { isTreeMode } from "../../object/file-mode.ts";
import type { Oid } from "../../object/oid.ts";
import { joinRanges, parseRange } from "../../porcelain/blame/line-range.ts";
import type { Repository } from "../../repository.ts";
import { commitTreeOid } from "../../revision/peel.ts";
import { entryAtPath } from "../../revision/tree-path.ts";
import type { Tip } from "../../revision/walk-options.ts";
import { pathInTree } from "../../text/relative-path.ts";

export async function readLineRanges(
  repo: Repository,
  texts: readonly string[],
  tips: readonly Tip[],
): Promise<{ tip: Oid; files: Map<string, Range[]> }> {
  const [tip, other] = tips.filter(({ uninteresting }) => !uninteresting);
  if (tip === undefined) throw new GitError("EINVAL", "No commit specified?");
  if (other !== undefined)
    throw new GitError("EINVAL", `More than one commit to dig from: ${other.name} and ${tip.name}?`);
  const tree = commitTreeOid((await repo.odb.need(tip.oid, "commit")).body);
  const drivers = await openDiffDrivers(repo);
  const files = new Map<string, Range[]>();
  for (const text of texts) {
    const { range, name } = split(text);
    const path = pathInTree(repo, name);
    const entry = path === null ? null : await entryAtPath(repo, tree, path);
    if (path === null || entry === null || isTreeMode(entry.mode))
      throw new GitError("ENOTFOUND", `There is no path ${path ?? name} in the commit`);
    const lines = splitLines((await repo.odb.need(entry.oid, "blob")).body);
    const known = files.get(path) ?? [];
    await drivers.prepare([path]);
    const functionName = drivers.of(path).functionName ?? defaultFunctionName;
    const found = parseRange(range, { lines, path, functionName }, (known.at(-1)?.[1] ?? 0) + 1);
    if (found === null) throw malformed(text);
    files.set(path, joinRanges([...known, found]));
  }
  return { tip: tip.oid, files };
}

/** The range ends at a colon that is neither the first character nor within a regular expression. */
function split(text: string): { range: string; name: string } {
  let at = text.startsWith(":") ? 1 : text.startsWith("^:") ? 2 : 0;
  for (let inside = false; at < text.length; at++) {
    const letter = text[at];
    if (letter === "\\") at++;
    else if (letter === "/" && !text.startsWith(":")) inside = !inside;
    else if (letter === ":" && !inside) return { range: text.slice(0, at), name: text.slice(at + 1) };
  }
  throw malformed(text);
}

function malformed(text: string): GitError {
  return new GitError("EINVAL", `-L argument not 'start,end:file' or ':funcname:file': ${text}`);
}
