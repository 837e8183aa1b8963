/** Creates a tag: a plain ref, or a tag object with a message and a ref to it. */
import { adviceEnabled, hint } from "../config/advice.ts";
import { formatDate } from "../date/format-date.ts";
import { localTime, zoneMinutes } from "../date/local-time.ts";
import { GitError } from "../errors.ts";
import { commitSubject } from "../message/commit-message.ts";
import { parseCommit } from "../object/commit.ts";
import type { Oid } from "../object/oid.ts";
import { serializeTag } from "../object/tag.ts";
import { isRefName } from "../refs/ref-name.ts";
import { committerIdentity, reflogIdentity } from "../repository/identity.ts";
import type { Repository } from "../repository.ts";
import { findRevision } from "../revision/find-revision.ts";

export interface CreateTagOptions {
  readonly name: string;
  /** Default HEAD. */
  readonly target?: string;
  /** Already cleaned up; absent: no tag object is created. */
  readonly message?: string;
  readonly force?: boolean;
  readonly createReflog?: boolean;
}

export interface CreatedTag {
  readonly oid: Oid;
  /** The old value, if the tag was moved. */
  readonly replaced: Oid | null;
  /** git's advice about a tag of a tag, ready to print. */
  readonly advice: string;
}

export async function createTag(repo: Repository, options: CreateTagOptions): Promise<CreatedTag> {
  const { name, target = "HEAD", message } = options;
  const found = await findRevision(repo, target);
  if (!found) throw new GitError("ENOTFOUND", `Failed to resolve '${target}' as a valid ref.`);
  if (name.startsWith("-") || !isRefName(`refs/tags/${name}`)) {
    throw new GitError("EINVAL", `'${name}' is not a valid tag name.`);
  }
  const full = `refs/tags/${name}`;
  const before = (await repo.refs.resolve(full))?.oid ?? null;
  if (before !== null && !options.force) throw new GitError("EEXIST", `tag '${name}' already exists`);
  const type = (await repo.odb.need(found.oid)).type;
  let { oid } = found;
  let advice = "";
  if (message !== undefined) {
    if (type === "tag" && adviceEnabled(repo.config, "nestedTag")) advice = hint(nestedText(name, target));
    const body = serializeTag({ object: oid, type, tag: name, tagger: committerIdentity(repo), message });
    oid = await repo.odb.write("tag", body);
  }
  await repo.refs.update(
    [
      {
        name: full,
        to: oid,
        from: before,
        message: await reflogMessage(repo, found.oid),
        createReflog: options.createReflog,
      },
    ],
    reflogIdentity(repo),
  );
  return { oid, replaced: before !== null && before !== oid ? before : null, advice };
}

function nestedText(name: string, target: string): string {
  return `You have created a nested tag. The object referred to by your new tag is
already a tag. If you meant to tag the object that it points to, use:

	git tag -f ${name} ${target}^{}
Disable this message with "git config advice.nestedTag false"`;
}

async function reflogMessage(repo: Repository, oid: Oid): Promise<string> {
  const { type, body } = await repo.odb.need(oid);
  const start = repo.env.GIT_REFLOG_ACTION ?? `tag: tagging ${await repo.odb.abbreviate(oid)}`;
  if (type === "tree") return `${start} (tree object)`;
  if (type === "blob") return `${start} (blob object)`;
  if (type === "tag") return `${start} (other tag object)`;
  const { message, committer } = parseCommit(body);
  const date = formatDate(
    committer.seconds,
    zoneMinutes(committer.zone),
    { kind: "short" },
    localTime(repo.host, repo.env),
  );
  return `${start} (${commitSubject(message)}, ${date})`;
}
