/** `wsx grep`: ripgrep's syntax and flags on the workspace; prints hits as they are found. */
import type { GrepBody, GrepEvent, GrepHit } from "@workspace/worker/api";
import { CliError } from "../cli-error.ts";
import { readJsonLines } from "../client/lines.ts";
import { remotePath, shownPath } from "../client/remote-path.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { escapeTerminal } from "../format/escape-terminal.ts";
import { note } from "../format/print.ts";

const NOTHING_FOUND = 1;

export const grep = defineCommand({
  name: "grep",
  summary: "Search file contents",
  flags: {
    fixed: { long: "--fixed-strings", short: "-F", value: "none", help: "Take the pattern as plain text" },
    ignoreCase: { long: "--ignore-case", short: "-i", value: "none", help: "Ignore case" },
    smartCase: {
      long: "--smart-case",
      short: "-S",
      value: "none",
      help: "Ignore case unless the pattern has a capital",
    },
    word: { long: "--word-regexp", short: "-w", value: "none", help: "Whole words only" },
    line: { long: "--line-regexp", short: "-x", value: "none", help: "Match whole lines" },
    invert: { long: "--invert-match", short: "-v", value: "none", help: "Select lines that do not match" },
    files: { long: "--files-with-matches", short: "-l", value: "none", help: "Only the names of files with a match" },
    count: { long: "--count", short: "-c", value: "none", help: "Only the number of matching lines per file" },
    multiline: { long: "--multiline", short: "-U", value: "none", help: "Let matches span lines" },
    lineNumber: { long: "--line-number", short: "-n", value: "none", help: "Accepted for compatibility; always on" },
    recursive: { long: "--recursive", short: "-r", value: "none", help: "Accepted for compatibility; always on" },
    glob: {
      long: "--glob",
      short: "-g",
      value: "list",
      arg: "<glob>",
      help: "Only files that match; with ! only others",
    },
    type: { long: "--type", short: "-t", value: "list", arg: "<type>", help: "Only files of this type (ts, py, …)" },
    after: { long: "--after-context", short: "-A", value: "number", arg: "<n>", help: "Lines after each match" },
    before: { long: "--before-context", short: "-B", value: "number", arg: "<n>", help: "Lines before each match" },
    context: { long: "--context", short: "-C", value: "number", arg: "<n>", help: "Lines before and after each match" },
    maxCount: {
      long: "--max-count",
      short: "-m",
      value: "number",
      arg: "<n>",
      help: "At most this many matches per file",
    },
    limit: { long: "--limit", value: "number", arg: "<n>", help: "At most this many matches in total (default 1000)" },
    hidden: { long: "--hidden", value: "none", help: "Include names that start with a dot" },
    noIgnore: { long: "--no-ignore", value: "none", help: "Include what .gitignore excludes" },
  },
  operands: [
    { name: "pattern", kind: "text" },
    { name: "path", kind: "remote-path", optional: true },
  ],
  errorExitCode: 2,
  notes:
    "The pattern is a regular expression in ripgrep's syntax. With --json, each line is a match (with -l { path }, with -c\n{ path, count }), the last one is the end of the search.",
  examples: ["wsx grep TODO", "wsx grep -n -i 'fn \\w+' src", "wsx grep -F 'a.b(c)' -g '*.ts' -l"],
  async run(context, { flags, operands: [pattern = "", path] }) {
    const globs = flags.glob ?? [];
    const body: GrepBody = {
      pattern,
      ...(path === undefined ? {} : { path: remotePath(path) }),
      regex: !flags.fixed,
      ignoreCase: flags.ignoreCase,
      smartCase: flags.smartCase,
      word: flags.word,
      line: flags.line,
      invert: flags.invert,
      multiline: flags.multiline,
      hidden: flags.hidden,
      ...(flags.noIgnore ? { ignore: false } : {}),
      ...listed(
        "include",
        globs.filter((glob) => !glob.startsWith("!")),
      ),
      ...listed(
        "exclude",
        globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)),
      ),
      ...listed("types", flags.type ?? []),
      context: flags.context,
      before: flags.before,
      after: flags.after,
      maxPerFile: flags.maxCount,
      maxHits: flags.limit,
    };
    const response = await context.api.send("search/grep", { method: "POST", json: body });
    return show(context, readJsonLines<GrepEvent>(response), flags.files ? "files" : flags.count ? "count" : "lines");
  },
});

async function show(
  context: CommandContext,
  events: AsyncIterable<GrepEvent>,
  mode: "lines" | "files" | "count",
): Promise<number> {
  const printer = new HitPrinter(context, mode);
  for await (const event of events) {
    if (event.type === "error")
      throw new CliError(event.error.code, event.error.message, event.error.hint, event.error.path);
    if (event.type === "hit") {
      await printer.hit(event);
      continue;
    }
    await printer.end();
    if (context.json) await context.io.out(`${JSON.stringify(event)}\n`);
    if (event.truncated)
      await note(context, `wsx: there is more: the search stopped at its limit of ${event.truncatedBy}`);
    const { skippedTooLarge } = event.stats;
    if (skippedTooLarge > 0)
      await note(
        context,
        `wsx: not searched, being too large: ${skippedTooLarge} ${skippedTooLarge === 1 ? "file" : "files"}`,
      );
    return printer.hits === 0 ? NOTHING_FOUND : 0;
  }
  throw new CliError("EPROTO", "the answer broke off");
}

class HitPrinter {
  hits = 0;
  #path = "";
  #count = 0;
  #lastLine = 0;

  constructor(
    readonly context: CommandContext,
    readonly mode: "lines" | "files" | "count",
  ) {}

  async hit(hit: GrepHit): Promise<void> {
    this.hits++;
    const fresh = hit.path !== this.#path;
    if (fresh) await this.#endFile();
    this.#path = hit.path;
    this.#count++;
    if (this.mode !== "lines") return;
    await (this.context.json ? this.#json(hit) : this.#lines(hit, fresh));
  }

  end(): Promise<void> {
    return this.#endFile();
  }

  async #endFile(): Promise<void> {
    const [path, count] = [this.#path, this.#count];
    this.#count = 0;
    if (count === 0 || this.mode === "lines") return;
    const counted = this.mode === "count";
    if (this.context.json) return this.#json(counted ? { path, count } : { path });
    await this.#out(`${shownPath(path)}${counted ? `:${count}` : ""}\n`);
  }

  #json(value: object): Promise<void> {
    return this.context.io.out(`${JSON.stringify(value)}\n`);
  }

  /** `path:line:text`, context as `path-line-text`, and `--` between groups that are not adjacent. */
  async #lines(hit: GrepHit, fresh: boolean): Promise<void> {
    const path = shownPath(hit.path);
    const first = hit.before[0]?.line ?? hit.line;
    const withContext = hit.before.length + hit.after.length > 0;
    const apart = withContext && this.hits > 1 && (fresh || first > this.#lastLine + 1) ? "--\n" : "";
    const around = (lines: GrepHit["before"]) => lines.map(({ line, text }) => `${path}-${line}-${text}\n`).join("");
    const own = hit.text
      .split("\n")
      .map((text, at) => `${path}:${hit.line + at}:${text}\n`)
      .join("");
    this.#lastLine = hit.after.at(-1)?.line ?? hit.line + hit.text.split("\n").length - 1;
    await this.#out(`${apart}${around(hit.before)}${own}${around(hit.after)}`);
  }

  #out(text: string): Promise<void> {
    const { io } = this.context;
    return io.out(io.terminal.stdout ? escapeTerminal(text) : text);
  }
}

function listed<Name extends string>(name: Name, values: readonly string[]): Partial<Record<Name, string[]>> {
  return values.length === 0 ? {} : ({ [name]: [...values] } as Partial<Record<Name, string[]>>);
}
