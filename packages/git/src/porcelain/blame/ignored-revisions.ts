/** `--ignore-rev`, `--ignore-revs-file` and `blame.ignoreRevsFile`: commits whose changes blame ignores. */

import { GitError } from "../../errors.ts";
import { type Oid, parseOid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTo } from "../../revision/peel.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { decode } from "../../text/bytes.ts";

export async function readIgnoredRevisions(
  repo: Repository,
  cwd: string,
  { revisions = [], files = [] }: { readonly revisions?: readonly string[]; readonly files?: readonly string[] },
): Promise<Set<Oid>> {
  const ignored = new Set<Oid>();
  for (const file of [...repo.config.getAll("blame.ignorerevsfile"), ...files]) {
    if (file === "") ignored.clear();
    else for (const oid of await readList(repo, absolutePath(file, cwd), file)) ignored.add(oid);
  }
  for (const name of revisions) {
    const found = await findRevision(repo, name, { wanted: "committish" });
    const commit = found && (await peelTo(repo, found.oid, "commit"));
    if (!commit) throw new GitError("ENOTFOUND", `cannot find revision ${name} to ignore`);
    ignored.add(commit);
  }
  return ignored;
}

/** Skips ids that are not commits. */
async function readList(repo: Repository, path: string, name: string): Promise<Oid[]> {
  const [bytes] = await repo.fs.readMany([path]);
  if (!bytes) throw new GitError("ENOTFOUND", `could not open object name list: ${name}`);
  const oids: Oid[] = [];
  for (const line of decode(bytes).split("\n")) {
    const text = line.replace(/#.*/, () => "").trim();
    if (text === "") continue;
    const oid = parseOid(text);
    if (oid === null) throw new GitError("EINVAL", `invalid object name: ${text}`);
    const commit = (await repo.odb.has(oid)) ? await peelTo(repo, oid, "commit") : null;
    if (commit) oids.push(commit);
  }
  return oids;
}
