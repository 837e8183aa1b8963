/** Prints objects for `git show`: commits as in `log`, tags with their targets, trees as a list of names, blobs unchanged. */
import { GitError } from "../../../errors.ts";
import { readTreeEntries } from "../../../index/read-tree.ts";
import { isTreeMode } from "../../../object/file-mode.ts";
import type { Oid } from "../../../object/oid.ts";
import { parseTag } from "../../../object/tag.ts";
import type { ObjectType } from "../../../odb/object-database.ts";
import type { CommandContext } from "../../framework/command.ts";
import { type LogParsed, type LogSetup, setUpLog, showAll } from "./run-log.ts";

export async function showObjects(context: CommandContext, parsed: LogParsed): Promise<number> {
  const setup = await setUpLog(context, parsed, { noWalk: true, diff: { format: "patch", merges: "dense" } });
  if (!setup.revisions.walk.noWalk) {
    await showAll(setup, parsed);
    return 0;
  }
  const showing = { context, setup, parsed, displayed: new Set<Oid>() };
  for (const { oid, type, name } of setup.revisions.arguments.objects) await showObject(showing, oid, type, name);
  return 0;
}

interface Showing {
  readonly context: CommandContext;
  readonly setup: LogSetup;
  readonly parsed: LogParsed;
  /** Commits already shown; each is shown once. */
  readonly displayed: Set<Oid>;
}

async function showObject(showing: Showing, oid: Oid, type: ObjectType, name: string): Promise<void> {
  const { repo } = showing.setup;
  let at = { oid, type };
  for (let depth = 0; at.type === "tag"; depth++) {
    if (depth > repo.limits.tagDepth) throw new GitError("ETOOBIG", `too many nested tags at ${name}`);
    at = await showTag(showing, at.oid);
  }
  switch (at.type) {
    case "commit":
      if (!showing.displayed.has(at.oid)) await showAll(showing.setup, showing.parsed, [{ oid: at.oid, name }]);
      showing.displayed.add(at.oid);
      return;
    case "tree":
      await showTree(showing, at.oid, name);
      return;
    case "blob":
      for await (const piece of await repo.odb.stream(at.oid)) showing.context.out(piece);
      return;
    default:
  }
}

async function showTag({ context, setup }: Showing, oid: Oid): Promise<{ oid: Oid; type: ObjectType }> {
  const { repo, printer, presentation } = setup;
  const { tag, tagger, message, object, type } = parseTag((await repo.odb.need(oid, "tag")).body);
  const { mailmap, date, format } = presentation.context;
  context.out(`${printer.displayOne ? "\n" : ""}${setup.printer.colored(`tag ${tag}`)}\n`);
  if (tagger !== null && format.kind !== "oneline") {
    const { name, email } = mailmap?.map(tagger.name, tagger.email) ?? tagger;
    const wide = format.kind === "fuller" ? "    " : "";
    context.out(`Tagger: ${wide}${name} <${email}>\n`);
    if (format.kind === "medium") context.out(`Date:   ${date(tagger)}\n`);
    if (format.kind === "fuller") context.out(`TaggerDate: ${date(tagger)}\n`);
  }
  context.out(`\n${message}`);
  printer.noteOther();
  return { oid: object, type };
}

async function showTree({ context, setup }: Showing, oid: Oid, name: string): Promise<void> {
  const { repo, printer } = setup;
  context.out(`${printer.displayOne ? "\n" : ""}${printer.colored(`tree ${name}`)}\n\n`);
  for (const entry of await readTreeEntries(repo.odb, oid)) {
    context.out(`${entry.name}${isTreeMode(entry.mode) ? "/" : ""}\n`);
  }
  printer.noteOther();
}
