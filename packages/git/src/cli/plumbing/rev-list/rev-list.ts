/** `git rev-list`. */
import { GitError } from "../../../errors.ts";
import type { Oid } from "../../../object/oid.ts";
import { patchIdOf } from "../../../porcelain/log/patch-id.ts";
import { parseDisplayed } from "../../../pretty/pretty-context.ts";
import { parsePrettyFormat } from "../../../pretty/pretty-format.ts";
import { prettyPrint } from "../../../pretty/pretty-print.ts";
import type { Repository } from "../../../repository.ts";
import { type CommitNode, parseCommitNode } from "../../../revision/commit-node.ts";
import { listObjects } from "../../../revision/list-objects.ts";
import { peelTags } from "../../../revision/peel.ts";
import { walk } from "../../../revision/walk.ts";
import type { WalkedCommit, WalkOptions } from "../../../revision/walk-options.ts";
import { prettyFlags, readPresentation } from "../../flags/pretty-flags.ts";
import { revisionFlags } from "../../flags/revision-flag-table.ts";
import { missingRevisionValue, readRevisions } from "../../flags/revision-flags.ts";
import { defineCommand } from "../../framework/command.ts";
import { objectFilter } from "./object-filter.ts";

const on = (long: string, help: string) => ({ long, noNegation: true, help }) as const;

export const revList = defineCommand({
  name: "rev-list",
  usage: ["git rev-list [<options>] <commit>... [--] [<path>...]"],
  flags: {
    ...revisionFlags,
    ...prettyFlags,
    abbrev: { long: "--abbrev", value: "optional", arg: "<n>", help: "digits of abbreviated names" },
    header: on("--header", "print the contents of the commit in raw format"),
    timestamp: on("--timestamp", "print the time of the commit too"),
    count: on("--count", "print how many commits there are"),
    quiet: on("--quiet", "print nothing"),
    objects: on("--objects", "print the objects of the commits too"),
    objectsEdge: { ...on("--objects-edge", "as --objects, and commits at the edge"), unsupported: "" },
    objectNames: { long: "--object-names", help: "print the paths of objects" },
    inCommitOrder: { ...on("--in-commit-order", "objects right after their commit"), unsupported: "" },
    commitHeader: { long: "--commit-header", help: "print the line that names a commit" },
    filter: { long: "--filter", value: "string", arg: "<filter>", help: "leave objects out" },
    filterProvided: on("--filter-provided-objects", "filter objects that were named too"),
    missing: { long: "--missing", value: "string", arg: "<action>", help: "what to do about missing objects" },
    default: { long: "--default", value: "string", arg: "<revision>", help: "when none is given" },
    excludePromisor: on("--exclude-promisor-objects", "pass over what a promisor has"),
    useBitmapIndex: on("--use-bitmap-index", "has no effect here"),
  },
  noAbbrev: true,
  unknownOption: () => usage(),
  missingValue: missingRevisionValue,
  async run(context, parsed) {
    const repo = await context.repository();
    const { flags } = parsed;
    const revisions = await readRevisions(context, repo, parsed, { fallback: flags.default || null });
    if (!revisions.arguments.input) throw usage();
    const wantsText =
      flags.pretty !== undefined || flags.format !== undefined || flags.oneline === true || flags.header === true;
    const presentation = wantsText ? await readPresentation(repo, parsed, { mapsNames: false }) : null;
    const pretty =
      presentation && flags.header
        ? { ...presentation.context, format: parsePrettyFormat("raw", repo.config) }
        : presentation?.context;
    const withObjects = flags.objects === true || flags.objectsEdge === true;
    const digits = typeof flags.abbrev === "string" ? Number.parseInt(flags.abbrev, 10) : undefined;
    const shortens = (flags.abbrevCommit === true || flags.oneline === true) && flags.abbrevCommit !== false;
    const displayed = async (oid: Oid) => (shortens ? repo.odb.abbreviate(oid, digits) : oid);
    const counts = { left: 0, right: 0, same: 0 };
    const trees: Oid[] = [];
    const edges = new Set<Oid>();
    const patchId = (node: CommitNode) => patchIdOf(repo, node, revisions.limitedTo);
    const byDecoration = flags.simplifyByDecoration ? await decorationWalk(repo) : {};
    for await (const one of walk(repo, {
      ...revisions.walk,
      ...byDecoration,
      tips: revisions.arguments.tips,
      patchId,
      onUninteresting: (oid) => edges.add(oid),
    })) {
      if (withObjects && !one.boundary) {
        trees.push(one.node.tree);
        for (const edge of one.edges) edges.add(edge);
      }
      if (flags.count) {
        if (one.patchSame) counts.same++;
        else if (one.left) counts.left++;
        else counts.right++;
        continue;
      }
      if (flags.quiet) continue;
      let line = commitMark(one, flags) + (await displayed(one.oid));
      if (flags.timestamp) line = `${one.node.seconds} ${line}`;
      for (const parent of flags.parents ? one.parents : []) line += ` ${await displayed(parent)}`;
      for (const child of flags.children ? (one.childrenDisplayed ?? []) : []) line += ` ${await displayed(child)}`;
      if (!pretty) {
        context.out(`${line}\n`);
        continue;
      }
      const { body } = await repo.odb.need(one.oid, "commit");
      const commit = parseDisplayed(pretty, body);
      const mark = one.boundary ? "-" : one.patchSame ? "=" : one.left ? "<" : ">";
      const displayCommit = { oid: one.oid, commit, parents: one.parents, mark };
      if (flags.header) {
        context.out(`${line}\n${await prettyPrint(pretty, displayCommit)}\0`);
        continue;
      }
      const text = await prettyPrint(pretty, displayCommit);
      if (pretty.format.kind === "oneline") {
        context.out(`${line} ${text}${text.endsWith("\n") ? "" : "\n"}`);
        continue;
      }
      if (flags.commitHeader !== false || pretty.format.kind !== "user") context.out(`commit ${line}\n`);
      if (text !== "") context.out(text.endsWith("\n") && pretty.format.kind !== "user" ? text : `${text}\n`);
      if (pretty.format.kind !== "user") context.out("\n");
    }
    if (flags.count) {
      const { left, right, same } = counts;
      const parts =
        flags.leftRight && (flags.cherryMark || flags.cherry)
          ? [left, right, same]
          : flags.leftRight
            ? [left, right]
            : flags.cherryMark || flags.cherry
              ? [left + right, same]
              : [left + right];
      if (!withObjects) context.out(`${parts.join("\t")}\n`);
      else context.out(`${left + right + (await countObjects())}\n`);
      return 0;
    }
    if (!withObjects) return 0;
    for await (const { oid, path } of objects()) {
      if (flags.quiet) continue;
      context.out(flags.objectNames === false ? `${oid}\n` : `${oid} ${path.split("\n")[0]}\n`);
    }
    return 0;

    async function* objects() {
      const excluded: Oid[] = [];
      for (const edge of edges) {
        const object = await repo.odb.read(edge);
        if (object?.type === "commit") excluded.push(parseCommitNode(edge, object.body).tree);
      }
      yield* listObjects(repo, {
        named: revisions.arguments.objects,
        trees,
        excluded,
        paths: revisions.walk.paths,
        ...objectFilter(repo, flags.filter),
      });
    }

    async function countObjects(): Promise<number> {
      let count = 0;
      for await (const _ of objects()) count++;
      return count;
    }
  },
});

/** Only commits that a ref points to, and those needed to connect them. */
async function decorationWalk(repo: Repository): Promise<Partial<WalkOptions>> {
  const decorated = new Set<Oid>();
  for (const { oid } of await repo.refs.list()) {
    const end = await peelTags(repo, oid);
    if (end) decorated.add(end.oid);
  }
  const head = await repo.refs.resolve("HEAD");
  if (head?.oid) decorated.add(head.oid);
  return { decorated: (oid) => decorated.has(oid), simplify: "merges", rewriteParents: true, order: "topo" };
}

function commitMark(one: WalkedCommit, flags: { leftRight?: boolean; cherryMark?: boolean; cherry?: boolean }): string {
  if (one.boundary) return "-";
  if (one.patchSame) return "=";
  if (flags.leftRight) return one.left ? "<" : ">";
  return flags.cherryMark || flags.cherry ? "+" : "";
}

function usage(): GitError {
  return new GitError("EUSAGE", "", { prefix: "", hint: `usage: ${revList.usage[0]}\n` });
}
