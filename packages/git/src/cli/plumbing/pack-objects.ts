/** `git pack-objects`: packs the objects named on stdin, or revisions with `--revs`, to stdout or to files. */

import { GitError } from "../../errors.ts";
import { OidTable } from "../../hash/oid-table.ts";
import { type Oid, parseOid } from "../../object/oid.ts";
import { markReachable } from "../../odb/mark-reachable.ts";
import { asGitDatabase, writePack } from "../../odb/write-pack.ts";
import { indexPack } from "../../pack/index-pack.ts";
import { reachableRoots } from "../../porcelain/maintenance/reachable-roots.ts";
import type { Repository } from "../../repository.ts";
import { readShallow } from "../../revision/commit-node.ts";
import { resolveRevision } from "../../revision/resolve-revision.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

const ignored = (long: string) => ({ long, help: "has no effect here" }) as const;

export const packObjects = defineCommand({
  name: "pack-objects",
  usage: [
    "git pack-objects --stdout [<options>] [< <ref-list> | < <object-list>]",
    "git pack-objects [<options>] <base-name> [< <ref-list> | < <object-list>]",
  ],
  flags: {
    quiet: { short: "-q", long: "--quiet", help: "do not show progress meter" },
    progress: ignored("--progress"),
    stdout: { long: "--stdout", help: "output pack to stdout" },
    revs: { long: "--revs", help: "read revision arguments from standard input" },
    all: { long: "--all", help: "include objects reachable from any reference" },
    reflog: { long: "--reflog", help: "include objects referred by reflog entries" },
    indexed: { long: "--indexed-objects", help: "include objects referred to by the index" },
    deltaBaseOffset: ignored("--delta-base-offset"),
    thin: ignored("--thin"),
    noReuseDelta: { long: "--no-reuse-delta", help: "do not reuse existing deltas" },
    noReuseObject: { long: "--no-reuse-object", help: "do not reuse existing objects" },
    window: { long: "--window", value: "string", arg: "<n>", help: "limit pack window by objects; 0: no deltas" },
    depth: { long: "--depth", value: "string", arg: "<n>", help: "maximum length of delta chain" },
    nonEmpty: { long: "--non-empty", help: "do not create an empty pack output" },
    threads: { long: "--threads", value: "string", arg: "<n>", help: "use threads" },
  },
  async run(context, { flags, args }) {
    if (flags.stdout ? args.length > 0 : args.length !== 1)
      throw new GitError("EUSAGE", "", { prefix: "", hint: usageText(packObjects) });
    const repo = await context.repository();
    const lines: string[] = [];
    for await (const line of context.stdin.lines()) if (line !== "") lines.push(line);
    const walks = flags.revs || flags.all || flags.reflog || flags.indexed;
    const oids = walks ? await fromRevisions(repo, lines, flags) : named(lines);
    if (oids.length === 0 && flags.nonEmpty) return 0;
    const odb = asGitDatabase(repo.odb);
    const stream = writePack(odb, oids, {
      reuse: !flags.noReuseDelta && !flags.noReuseObject,
      delta: flags.window !== "0" && flags.depth !== "0",
    });
    if (flags.stdout) {
      for await (const piece of stream) context.out(piece);
      return 0;
    }
    const stem = absolutePath(args[0] as string, context.cwd);
    const directory = await repo.fs.mkdtemp(`${stem}-tmp_`);
    try {
      const created = await indexPack({ ...odb.intake, directory }, stream);
      await repo.fs.rename(created.pack, `${stem}-${created.checksum}.pack`);
      await repo.fs.rename(created.index, `${stem}-${created.checksum}.idx`);
      context.out(`${created.checksum}\n`);
    } finally {
      await repo.fs.rm(directory, { recursive: true, force: true });
    }
    return 0;
  },
});

function named(lines: readonly string[]): Oid[] {
  return lines.map((line) => {
    const oid = parseOid(line.slice(0, 40));
    if (oid === null) throw new GitError("EINVAL", `expected object ID, got garbage:\n ${line}\n`);
    return oid;
  });
}

async function fromRevisions(
  repo: Repository,
  lines: readonly string[],
  flags: { all?: boolean; reflog?: boolean; indexed?: boolean },
): Promise<Oid[]> {
  const shallow = await readShallow(repo);
  const excluded: Oid[] = [];
  const roots = new Set<Oid>();
  if (flags.all || flags.reflog || flags.indexed)
    for (const oid of await reachableRoots(repo, { reflogs: flags.reflog === true, staged: flags.indexed === true }))
      roots.add(oid);
  let negated = false;
  for (const line of lines) {
    if (line === "--not") negated = !negated;
    else if (line === "--all")
      for (const oid of await reachableRoots(repo, { reflogs: false, staged: false })) roots.add(oid);
    else if (line.startsWith("^") !== negated)
      excluded.push(
        await resolveRevision(
          repo,
          line.replace(/^\^/, () => ""),
        ),
      );
    else
      roots.add(
        await resolveRevision(
          repo,
          line.replace(/^\^/, () => ""),
        ),
      );
  }
  const known = await markReachable(repo.odb, excluded, { shallow, known: new OidTable() });
  const from = known.count;
  const all = await markReachable(repo.odb, roots, { shallow, known });
  return Array.from({ length: all.count - from }, (_, i) => all.oid(from + i));
}
