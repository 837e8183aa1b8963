/** The options for how `log`, `show`, `shortlog` and `rev-list` print commits, and their meaning. */
import { wantColor } from "../../config/color.ts";
import { type DateMode, formatDate, parseDateMode } from "../../date/format-date.ts";
import { localTime, zoneMinutes } from "../../date/local-time.ts";
import { GitError } from "../../errors.ts";
import { loadMailmap, type Mailmap } from "../../message/mailmap.ts";
import { describe } from "../../porcelain/describe/describe.ts";
import { type DecorationFilter, type Decorations, loadDecorations, USUAL_REFS } from "../../pretty/decorations.ts";
import { type Notes, openNotes } from "../../pretty/notes.ts";
import type { PrettyContext } from "../../pretty/pretty-context.ts";
import { MEDIUM, ONELINE, type PrettyFormat, parsePrettyFormat } from "../../pretty/pretty-format.ts";
import type { Repository } from "../../repository.ts";
import { logOutputEncoding } from "../../text/encodings.ts";
import type { FlagTable, ParsedFlagSubset } from "../framework/flag-table.ts";
import { unrecognized } from "./revision-flags.ts";

export const prettyFlags = {
  pretty: {
    long: "--pretty",
    value: "optional",
    arg: "<format>",
    help: "show commits in a given format",
    noNegation: true,
  },
  format: {
    long: "--format",
    value: "optional",
    arg: "<format>",
    help: "show commits in a given format",
    noNegation: true,
  },
  oneline: { long: "--oneline", help: "--pretty=oneline --abbrev-commit", noNegation: true },
  abbrevCommit: { long: "--abbrev-commit", help: "show a short prefix of commit names" },
  encoding: {
    long: "--encoding",
    value: "string",
    arg: "<encoding>",
    help: "encoding of messages in the output",
    noNegation: true,
  },
  expandTabs: { long: "--expand-tabs", value: "optional", arg: "<n>", help: "replace tabs in messages by spaces" },
  notes: { long: "--notes", value: "optional", arg: "<ref>", help: "show notes" },
  showNotes: { long: "--show-notes", value: "optional", arg: "<ref>", help: "show notes", hidden: true },
  standardNotes: { long: "--standard-notes", help: "show the usual notes", hidden: true },
  showSignature: { long: "--show-signature", help: "signatures are never checked here" },
  relativeDate: { long: "--relative-date", help: "--date=relative", noNegation: true },
  date: { long: "--date", value: "string", arg: "<mode>", help: "how dates are shown", noNegation: true },
  logSize: { long: "--log-size", help: "show the size of each message", noNegation: true },
} as const satisfies FlagTable;

export const decorationFlags = {
  mailmap: { long: "--mailmap", help: "use mail map file" },
  useMailmap: { long: "--use-mailmap", help: "alias of --mailmap", hidden: true },
  clearDecorations: {
    long: "--clear-decorations",

    help: "clear all previously-defined decoration filters",
    noNegation: true,
  },
  decorateRefs: {
    long: "--decorate-refs",
    value: "list",
    arg: "<pattern>",
    help: "only decorate refs that match <pattern>",
  },
  decorateRefsExclude: {
    long: "--decorate-refs-exclude",
    value: "list",
    arg: "<pattern>",
    help: "do not decorate refs that match <pattern>",
  },
  decorate: { long: "--decorate", value: "optional", arg: "short|full|auto|no", help: "decorate options" },
} as const satisfies FlagTable;

type PrettyArgs = ParsedFlagSubset<typeof prettyFlags & typeof decorationFlags>;

export interface Presentation {
  readonly context: PrettyContext;
  /** As `LogPrinter` takes it: null is git's automatic length, undefined the full id. */
  readonly abbrevCommit: number | null | undefined;
  readonly decorate: boolean;
  readonly notes: readonly Notes[];
  /** `--date` was given. */
  readonly dateGiven: boolean;
  /** An option selected a format. */
  readonly prettyGiven: boolean;
  readonly date: DateMode;
}

export interface PresentationOptions {
  /** `--color`, from whichever table has it. */
  readonly color?: string | boolean;
  readonly abbrev?: number | null;
  /** The format if neither flags nor `format.pretty` set one. */
  readonly format?: PrettyFormat;
  readonly abbrevCommitByDefault?: boolean;
  readonly showSource?: boolean;
  /** False: shows names as in the commits, whatever the configuration says. */
  readonly mapsNames?: false;
}

export async function readPresentation(
  repo: Repository,
  parsed: PrettyArgs,
  options: PresentationOptions = {},
): Promise<Presentation> {
  const { config } = repo;
  const { flags } = parsed;
  const { format, given } = prettyFormat(repo, parsed, options.format ?? MEDIUM);
  const color = wantColor(config, "color.diff", options.color);
  const date = dateMode(repo, parsed, format);
  const time = localTime(repo.host, repo.env);
  const abbrev = options.abbrev === null ? undefined : options.abbrev;
  const abbreviated =
    abbreviates(parsed) ??
    options.abbrevCommitByDefault ??
    (format.kind !== "raw" && (config.getBool("log.abbrevcommit") ?? false));
  let mailmap: Promise<Mailmap> | undefined;
  const anyMailmap = () => (mailmap ??= loadMailmap(repo));
  const useMailmap = options.mapsNames ?? flags.mailmap ?? flags.useMailmap ?? config.getBool("log.mailmap") ?? true;
  let decorations: Promise<Decorations> | undefined;
  const style = decorationStyle(repo, parsed, format);
  const context: PrettyContext = {
    repo,
    format,
    color,
    encoding: logOutputEncoding(config, flags.encoding),
    ...(abbrev === undefined ? {} : { abbrev }),
    date: (who, mode) =>
      formatDate(who.seconds, zoneMinutes(who.zone), mode === undefined ? date : parseDateMode(mode), time),
    mailmap: useMailmap ? await anyMailmap() : null,
    anyMailmap,
    decorations: () => (decorations ??= loadDecorations(repo, decorationFilter(repo, parsed))),
    fullDecorations: style === "full",
    ...(tabsOf(flags.expandTabs) === undefined ? {} : { expandTabs: tabsOf(flags.expandTabs) }),
    // A commit without a description gets an empty one.
    describe: (oid, requested) => describe(repo, oid, requested).catch(() => ""),
    ...(options.showSource ? { showSource: true } : {}),
  };
  return {
    context,
    abbrevCommit: abbreviated ? (options.abbrev === undefined ? null : options.abbrev) : undefined,
    decorate: style !== null,
    notes: await notesOf(repo, parsed, given, format),
    dateGiven: flags.date !== undefined || flags.relativeDate === true,
    prettyGiven: given,
    date,
  };
}

function prettyFormat({ config }: Repository, { order }: PrettyArgs, fallback: PrettyFormat) {
  let format: PrettyFormat | undefined;
  for (const { name, value, text } of order) {
    if (name === "oneline") format = ONELINE;
    else if (name === "pretty") format = value === true ? MEDIUM : parsePrettyFormat(String(value), config);
    else if (name === "format") {
      if (value === true) throw unrecognized(text ?? "--format");
      format = parsePrettyFormat(String(value), config);
    }
  }
  if (format !== undefined) return { format, given: true };
  const configured = config.get("format.pretty");
  return { format: configured === undefined ? fallback : parsePrettyFormat(configured, config), given: false };
}

/** The last of `--oneline` and `--[no-]abbrev-commit` wins. */
function abbreviates({ order }: PrettyArgs): boolean | undefined {
  const last = order.findLast(({ name }) => name === "oneline" || name === "abbrevCommit");
  return last === undefined ? undefined : last.value === true;
}

function dateMode({ config }: Repository, { order }: PrettyArgs, format: PrettyFormat): DateMode {
  const last = order.findLast(({ name }) => name === "date" || name === "relativeDate");
  if (last?.name === "relativeDate") return { kind: "relative" };
  if (last !== undefined) return parseDateMode(String(last.value));
  const configured = config.get("log.date");
  return parseDateMode(format.date ?? configured ?? "default");
}

function tabsOf(value: string | boolean | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (value === false) return 0;
  return value === true ? 8 : Number.parseInt(value, 10) || 0;
}

/** Null: no decorations. */
function decorationStyle(
  { config }: Repository,
  { order }: PrettyArgs,
  { kind }: PrettyFormat,
): "short" | "full" | null {
  const last = order.findLast(({ name }) => name === "decorate");
  if (last !== undefined) {
    if (last.value === true) return "short";
    if (last.value === false) return null;
    const style = styleNamed(String(last.value));
    if (style === undefined) throw new GitError("EINVAL", `invalid --decorate option: ${last.value}`);
    return style;
  }
  if (kind === "raw") return null;
  const configured = config.get("log.decorate") ?? "auto";
  return styleNamed(configured || String(config.getBool("log.decorate"))) ?? null;
}

function styleNamed(word: string): "short" | "full" | null | undefined {
  if (/^(true|yes|on|1|short)$/i.test(word)) return "short";
  if (word === "full") return "full";
  // "auto" means no decoration: there is no terminal.
  return /^(false|no|off|0|auto)$/i.test(word) ? null : undefined;
}

function decorationFilter({ config }: Repository, { order }: PrettyArgs): DecorationFilter {
  let include: string[] = [];
  let exclude: string[] = [];
  let cleared = false;
  for (const { name, value } of order) {
    if (name === "clearDecorations") {
      include = [];
      exclude = [];
      cleared = true;
    } else if (name === "decorateRefs") include.push(String(value));
    else if (name === "decorateRefsExclude") exclude.push(String(value));
  }
  const excludeByConfig = cleared ? [] : config.getAll("log.excludedecoration");
  const all = cleared || config.get("log.initialdecorationset") === "all";
  if (!all && include.length + exclude.length + excludeByConfig.length === 0) return { include: USUAL_REFS };
  return { include, exclude, excludeByConfig };
}

/** The default notes, unless an option selected a format that does not name them. */
async function notesOf(
  repo: Repository,
  { order }: PrettyArgs,
  input: boolean,
  format: PrettyFormat,
): Promise<Notes[]> {
  const requested = order.filter(({ name }) => name === "notes" || name === "showNotes" || name === "standardNotes");
  const wanted = format.kind === "user" && /%[+ -]?N/.test(format.template);
  let usual = !input || wanted;
  let refs: string[] = [];
  for (const { value } of requested) {
    if (value === false) {
      usual = false;
      refs = [];
    } else if (value === true) usual = true;
    else {
      if (requested.length === 1 || refs.length === 0) usual = false;
      refs.push(expandNotesRef(String(value)));
    }
  }
  if (usual) refs.unshift(repo.env.GIT_NOTES_REF || repo.config.get("core.notesref") || "refs/notes/commits");
  if (usual) for (const ref of repo.config.getAll("notes.displayref")) refs.push(ref);
  const notes: Notes[] = [];
  for (const ref of new Set(refs)) {
    const found = await openNotes(repo, ref);
    if (found !== null) notes.push(found);
    else if (requested.some(({ value }) => typeof value === "string" && expandNotesRef(value) === ref)) {
      repo.warn?.(`notes ref ${ref} is invalid`);
    }
  }
  return notes;
}

function expandNotesRef(name: string): string {
  if (name.startsWith("refs/notes/")) return name;
  return name.startsWith("notes/") ? `refs/${name}` : `refs/notes/${name}`;
}
