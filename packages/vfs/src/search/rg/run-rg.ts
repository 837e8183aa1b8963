/**
 * `rg` on a workspace: an argv in, bytes and an exit code out. 0: a match; 1: no match; 2: an error, described on stderr. Never
 * throws to its caller. The layers are ripgrep's own: argv, query, engine, printer.
 */
import { fileTypes } from "@workspace/glob";
import { FsError } from "../../api/errors.ts";
import { isDirectory } from "../../tree/inode.ts";
import { parsePath } from "../../tree/path.ts";
import { resolve } from "../../tree/resolve.ts";
import type { ReadView } from "../../volume/views.ts";
import type { MatchSink, SearchEngine, SearchOutcome } from "../engine.ts";
import { walkFiles } from "../files.ts";
import { createLocalEngine } from "../local-engine.ts";
import { searchText } from "../search-text.ts";
import { hasTooMany, MAX_RANGES } from "../searcher/ranges.ts";
import { JsonMessages } from "../sinks/json-messages.ts";
import { type Command, STDIN, toCommand } from "./command.ts";
import { helpText } from "./flags.ts";
import { parseArgv, UsageError } from "./parse-argv.ts";
import { LinePrinter, type Write } from "./printer.ts";
import { SummaryPrinter } from "./summary.ts";

export interface RgIo {
  /** An absolute path. */
  readonly cwd: string;
  /** Standard input: searched if no path is given, or for "-". Absent: there is no pipe. */
  readonly stdin?: Uint8Array;
  readonly stdout: Write;
  readonly stderr: Write;
  readonly signal?: AbortSignal;
}

const encoder = new TextEncoder();
/** ripgrep's name for it. */
const STDIN_NAME = "<stdin>";
const VERSION = "ripgrep 15.0.0 (the workspace's own engine)\n";

export async function runRg(volume: ReadView, argv: readonly string[], io: RgIo): Promise<0 | 1 | 2> {
  const say = (write: Write, text: string) => write(encoder.encode(text));
  try {
    const parsed = parseArgv(argv);
    const requested = (name: string) => parsed.given.some(({ flag }) => flag === name);
    if (requested("help")) return say(io.stdout, helpText()) ?? 0;
    if (requested("version")) return say(io.stdout, VERSION) ?? 0;
    if (requested("type-list")) return say(io.stdout, typeList()) ?? 0;
    const command = toCommand(parsed, io.cwd, {
      hasInput: io.stdin !== undefined,
      absolute: (word) => absolutePath(word, io.cwd),
      isDirectory: (path) => {
        const { inode } = resolve(volume.ensureOpen().cache, parsePath(path, "grep"), "grep", "follow");
        return inode !== null && isDirectory(inode);
      },
    });
    return command.listFiles ? listFiles(volume, command, io) : await search(createLocalEngine(volume), command, io);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof FsError)) throw error;
    if (error instanceof FsError && error.code === "ABORT_ERR") throw error;
    say(io.stderr, `rg: ${error.message}\n`);
    return 2;
  }
}

async function search(engine: SearchEngine, command: Command, io: RgIo): Promise<0 | 1 | 2> {
  const { query } = command;
  const shown = (path: string) => shownPath(path, command, io.cwd);
  const sink = createPrinter(command, shown, io.stdout);
  const counting = new Matched(sink);
  let truncatedBy: SearchOutcome["truncatedBy"] = null;
  for (const paths of command.runs) {
    const end =
      paths === STDIN
        ? await searchText(query, STDIN_NAME, io.stdin ?? new Uint8Array(0), counting, io.signal)
        : await engine.search({ ...query, paths }, counting, io.signal);
    truncatedBy ??= end.truncatedBy;
    if (counting.stopped) break;
  }
  if (counting.tooMany && tellsMatches(command)) {
    io.stderr(encoder.encode(`rg: a line has more than ${MAX_RANGES} matches; the others are left out\n`));
    return 2;
  }
  if (truncatedBy !== null) {
    io.stderr(encoder.encode(`rg: the search stopped: its budget of ${truncatedBy} is spent; narrow it\n`));
    return 2;
  }
  return counting.any ? 0 : 1;
}

/** Whether the output needs matches, not only lines. */
function tellsMatches({ print: { output, onlyMatching, perMatch } }: Command): boolean {
  return output === "json" || output === "count-matches" || (output === "lines" && (onlyMatching || perMatch));
}

function createPrinter({ query, print }: Command, shown: (path: string) => string, write: Write): MatchSink {
  switch (print.output) {
    case "lines":
      return new LinePrinter(print, query.before + query.after > 0, shown, write);
    case "json":
      return new JsonMessages((message) => write(encoder.encode(`${JSON.stringify(message)}\n`)), shown);
    default:
      return new SummaryPrinter(print, shown, write);
  }
}

/** Tracks whether there was anything to print, and whether some of it was cut. */
class Matched implements MatchSink {
  any = false;
  tooMany = false;
  stopped = false;

  readonly noMatch?: (path: string) => void;

  constructor(readonly sink: MatchSink) {
    if (sink.noMatch !== undefined)
      this.noMatch = (path) => {
        this.any = true;
        sink.noMatch?.(path);
      };
  }

  begin(path: string): void {
    this.sink.begin(path);
  }

  matched(line: Parameters<MatchSink["matched"]>[0]): true | false | "file" {
    if (this.noMatch === undefined) this.any = true;
    if (hasTooMany(line.ranges)) this.tooMany = true;
    const answer = this.sink.matched(line);
    if (answer === false) this.stopped = true;
    return answer;
  }

  context(...reported: Parameters<MatchSink["context"]>): void {
    this.sink.context(...reported);
  }

  gap(): void {
    this.sink.gap();
  }

  end(file: Parameters<MatchSink["end"]>[0]): boolean {
    const goOn = this.sink.end(file);
    if (!goOn) this.stopped = true;
    return goOn;
  }
}

function listFiles(volume: ReadView, command: Command, io: RgIo): 0 | 1 {
  let any = false;
  for (const { path } of walkFiles(volume.ensureOpen(), command.query, { ignored: 0 })) {
    any = true;
    io.stdout(encoder.encode(`${shownPath(path, command, io.cwd)}${command.print.nul ? "\0" : "\n"}`));
  }
  return any ? 0 : 1;
}

function typeList(): string {
  return [...fileTypes()].map(([name, globs]) => `${name}: ${globs.join(", ")}\n`).join("");
}

function absolutePath(word: string, cwd: string): string {
  return word.startsWith("/") ? word : `${cwd === "/" ? "" : cwd}/${word}`;
}

/** The path as the caller would write it: below the word that named the start, or relative if none did. */
function shownPath(path: string, { paths }: Command, cwd: string): string {
  if (path === STDIN_NAME) return path;
  const below = (start: string) =>
    path === start
      ? ""
      : path.startsWith(start === "/" ? "/" : `${start}/`)
        ? path.slice(start === "/" ? 1 : start.length + 1)
        : null;
  if (paths.length === 0) return below(cwd) ?? path;
  for (const word of paths) {
    const start = `/${absolutePath(word, cwd)
      .split("/")
      .filter((part) => part !== "" && part !== ".")
      .join("/")}`;
    const rest = below(start);
    if (rest === "") return word;
    if (rest !== null) return `${word.replace(/(?<!\/)\/+$/, () => "")}/${rest}`;
  }
  return path;
}
