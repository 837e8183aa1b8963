/** `grep` on the workspace's search engine: GNU's command line and output, without its backreferences. */
import type { GrepQuery } from "@workspace/protocol";
import type { FileSystem, SearchOutcome } from "@workspace/vfs";
import { fromBinaryString } from "../byte-string.ts";
import type { RunCommand } from "../commands.ts";
import { grepHelp } from "../grep/flags.ts";
import { type GrepCommand, toGrepCommand } from "../grep/grep-command.ts";
import { GrepPrinter, type PrintedFile } from "../grep/grep-printer.ts";
import { GrepUsageError, parseGrepArgv } from "../grep/parse-argv.ts";
import type { WorkerHost } from "../worker-host.ts";
import { CommandOutput, textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

const encoder = new TextEncoder();
const BUDGET = { bytes: Number.MAX_SAFE_INTEGER, steps: Number.MAX_SAFE_INTEGER };
/** GNU's first read: a NUL byte in it makes a file binary. */
const LOOKED_AT = 96 * 1024;
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export function grepCommand(host: WorkerHost, name: string, files: FileSystem, signal: AbortSignal): RunCommand {
  return async (argv, { cwd, stdin }) => {
    const output = new CommandOutput();
    try {
      const parsed = parseGrepArgv(argv);
      const requested = (flag: string) => parsed.given.some((one) => one.flag === flag);
      if (requested("help")) return textResult(grepHelp(), "", 0);
      if (requested("version")) return textResult("grep (the workspace's own engine, as GNU grep)\n", "", 0);
      const lists = await patternFiles(files, cwd, parsed.given);
      const command = toGrepCommand(name, parsed, (path) => lists.get(path) ?? []);
      const run = new GrepRun(host, command, files, cwd, signal, output);
      return output.result(await run.all(stdin));
    } catch (error) {
      if (!(error instanceof GrepUsageError || isEngineError(error))) throw error;
      const usage = "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n";
      const message = error.message === "" ? usage : `${name}: ${error.message}\n`;
      return textResult("", message, 2);
    }
  };
}

type Search = (query: GrepQuery, printer: GrepPrinter) => Promise<SearchOutcome>;
/** The beginning of the searched bytes. */
type Head = (path: string) => Promise<Uint8Array>;

class GrepRun {
  #failed = false;
  #any = false;
  readonly #groups = { count: 0 };

  constructor(
    readonly host: WorkerHost,
    readonly command: GrepCommand,
    readonly files: FileSystem,
    readonly cwd: string,
    readonly signal: AbortSignal,
    readonly output: CommandOutput,
  ) {}

  async all(stdin: unknown): Promise<number> {
    const { words, recursive, print } = this.command;
    const places = words.length > 0 ? words : [recursive ? "." : "-"];
    for (const word of places) {
      if (word === "-") await this.#input(fromBinaryString(stdin as string), places.length > 1);
      else await this.#operand(word, places.length, words.length === 0);
      if (this.#any && print.output === "quiet") return 0;
    }
    return this.#failed ? 2 : this.#any ? 0 : 1;
  }

  async #operand(word: string, count: number, implied: boolean): Promise<void> {
    const path = absolutePath(this.cwd, word);
    const stat = await this.files.stat(path).catch(() => null);
    const { recursive, skipDirectories } = this.command;
    if (stat === null) return this.#complain(`${word}: No such file or directory`);
    if (!stat.isDirectory()) return this.#file(path, word, count > 1);
    if (skipDirectories) return;
    if (!recursive) return this.#complain(`${word}: Is a directory`);
    const start = await this.files.realpath(path);
    const shown = (found: string) => {
      const below = found.slice(start === "/" ? 1 : start.length + 1);
      return implied
        ? below
        : `${word.replace(/(?<!\/)\/+$/, () => "") || (word.startsWith("/") ? "" : word)}/${below}`;
    };
    await this.#search(start, shown, true);
  }

  async #file(path: string, shown: string, many: boolean): Promise<void> {
    // A name on the command line is matched against the same globs as a found one.
    await this.#search(path, () => shown, many);
  }

  /** Standard input from its current position: read once, to the end. */
  async #input(bytes: Uint8Array, many: boolean): Promise<void> {
    const { label } = this.command.print;
    const search: Search = (query, printer) => this.host.searchText(query, label, bytes, printer, this.signal);
    const head = async () => bytes.subarray(0, LOOKED_AT);
    await this.#print(label, () => label, many, search, head);
  }

  async #search(path: string, shown: (path: string) => string, many: boolean): Promise<void> {
    const search: Search = (query, printer) => this.host.engine.search(query, printer, this.signal);
    await this.#print(path, shown, many, search, (found) => this.files.readRange(found, 0, LOOKED_AT));
  }

  async #print(
    path: string,
    shown: (path: string) => string,
    many: boolean,
    search: Search,
    head: Head,
  ): Promise<void> {
    const { print, query } = this.command;
    const printer = new GrepPrinter(print, print.fileName ?? many, shown, this.#groups);
    if (query.patterns.length > 0 || query.invert) await this.#run({ ...query, ...this.#at(path) }, printer, search);
    else printer.noMatch?.(path);
    for (const file of printer.printed) await this.#report(file, shown(file.path), head);
  }

  /** A binary file's lines are not printed, only that it matches. Names and counts are printed for any file. */
  async #report({ path, count, text }: PrintedFile, shown: string, head: Head): Promise<void> {
    const { binaryFiles, output } = this.command.print;
    const matters = count > 0 && (binaryFiles === "without-match" || (binaryFiles === "binary" && output === "lines"));
    const isBinary = matters && (await head(path)).includes(0);
    if (isBinary && binaryFiles === "without-match") return;
    // With -L a file with a match does not count.
    if (count > 0 && (output !== "names-without" || text.length > 0)) this.#any = true;
    if (isBinary) this.output.stderr(encoder.encode(`grep: ${shown}: binary file matches\n`));
    else for (const part of text) this.output.stdout(part);
  }

  #at(path: string): Pick<GrepQuery, "paths" | "cwd" | "budget" | "maxFileBytes"> {
    return { paths: [path], cwd: this.cwd, budget: BUDGET, maxFileBytes: MAX_FILE_BYTES };
  }

  async #run(query: GrepQuery, printer: GrepPrinter, search: Search): Promise<void> {
    const patterns = query.patterns.length === 0 ? ["[^\\s\\S]"] : query.patterns;
    const { truncatedBy, stats } = await search({ ...query, patterns }, printer);
    if (truncatedBy !== null) this.#complain(`the search stopped: its budget of ${truncatedBy} is spent`);
    if (stats.skippedTooLarge > 0)
      this.#complain(
        `${stats.skippedTooLarge} files over ${MAX_FILE_BYTES} bytes were not searched; that needs a container`,
      );
  }

  #complain(message: string): void {
    this.#failed = true;
    if (!this.command.silent) this.output.stderr(encoder.encode(`grep: ${message}\n`));
  }
}

async function patternFiles(
  files: FileSystem,
  cwd: string,
  given: readonly { flag: string; value: string }[],
): Promise<Map<string, string[]>> {
  const lists = new Map<string, string[]>();
  for (const { flag, value } of given) {
    if (flag !== "file") continue;
    const path = absolutePath(cwd, value);
    const text = await files.readFile(path, "utf8").catch(() => {
      throw new GrepUsageError(`${value}: No such file or directory`);
    });
    lists.set(value, text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  }
  return lists;
}

function isEngineError(error: unknown): error is Error {
  return error instanceof Error && error.name === "FsError" && (error as { code?: string }).code === "EINVAL";
}
