/**
 * Prints commits as `git log` does: separators, the line that names each, notes, and the graph at the left of everything,
 * including the lines of a diff.
 */

import { configuredColor, RESET } from "../config/color.ts";
import type { Oid } from "../object/oid.ts";
import { reencode, UTF8 } from "../text/encodings.ts";
import { formatDecorations } from "./decorations.ts";
import type { Graph, GraphCommit } from "./graph.ts";
import { formatNote, type Notes } from "./notes.ts";
import type { PrettyCommit, PrettyContext } from "./pretty-context.ts";
import { prettyPrint } from "./pretty-print.ts";

interface LogPrinterOptions {
  readonly out: (data: string | Uint8Array) => void;
  /** Between or after commits; "\0" with -z. */
  readonly end?: "\n" | "\0";
  /** Digits of the id in the first line; undefined: full. `null`: git's guess. */
  readonly abbrevCommit?: number | null;
  readonly decorate?: boolean;
  readonly graph?: Graph | null;
  readonly notes?: readonly Notes[];
  /** `--line-prefix`. */
  readonly linePrefix?: string;
  readonly logSize?: boolean;
}

export interface LogCommit extends PrettyCommit {
  /** Mark before the id, without a graph: "<", ">", "-", "=", "+". */
  readonly displayMark?: string;
  readonly graphCommit?: GraphCommit;
  /** Text after the id: `--parents`, `--children`. */
  readonly related?: readonly Oid[];
  /** A merge compared with this parent, with -m. */
  readonly from?: Oid;
}

const NO_NOTES = { raw: "", displayed: "" };

export class LogPrinter {
  readonly #context: PrettyContext;
  readonly #options: LogPrinterOptions;
  readonly #graph: Graph | null;
  readonly #end: string;
  #displayOne = false;
  #missingNewline = false;

  constructor(context: PrettyContext, options: LogPrinterOptions) {
    this.#context = context;
    this.#options = options;
    this.#graph = options.graph ?? null;
    this.#end = options.end ?? "\n";
  }

  get displayOne(): boolean {
    return this.#displayOne;
  }

  /** Other output was written, from which the next commit must be separated. */
  noteOther(): void {
    this.#displayOne = true;
    this.#missingNewline = false;
  }

  /** In the color of a commit's id. */
  colored(text: string): string {
    const { color, repo } = this.#context;
    return color ? `${configuredColor(repo.config, "color.diff.commit", "\x1b[33m")}${text}${RESET}` : text;
  }

  /** The commit itself, without its diff. */
  async show(commit: LogCommit): Promise<void> {
    const { format } = this.#context;
    if (this.#displayOne && !format.terminated) {
      if (this.#end === "\n" && !this.#missingNewline) this.#write(this.#linePadding());
      this.#write(this.#end);
    }
    this.#displayOne = true;
    this.#write(this.#prefixedLines(this.#graph?.commitLines() ?? ""));
    const done = await this.#firstLine(commit);
    if (done) return;
    const notes = this.#options.notes?.length ? await this.#notesOf(commit) : NO_NOTES;
    const user = format.kind === "user";
    const isPlain = notes === NO_NOTES && this.#graph === null;
    const displayed = isPlain ? commit : { ...commit, notes: notes.raw, graphWidth: this.#graph?.width ?? 0 };
    const message = (await prettyPrint(this.#context, displayed)) + (user ? "" : notes.displayed);
    if (this.#options.logSize) {
      this.#write(`log size ${message.length}\n`);
      this.#write(this.#graph?.nextLine() ?? "");
    }
    this.#missingNewline = !message.endsWith("\n");
    this.#writeMessage(message);
    const isEmpty = user && format.template === "";
    if (format.terminated && !isEmpty) {
      if (!this.#missingNewline) this.#write(this.#linePadding());
      this.#write(this.#end);
    }
  }

  /** The separator between the message and the diff; `dashes` if both a stat and a patch follow. */
  beforeDiff(dashes: boolean): void {
    const { format } = this.#context;
    if (format.kind === "oneline" || (format.kind === "user" && format.template === "")) return;
    this.#write(`${this.#linePadding()}${dashes ? "---" : ""}\n`);
  }

  /** Output without a graph beside it. */
  plain(text: string): void {
    this.#write(text);
  }

  /** A line between two commits. */
  break(bar: string): void {
    this.#options.out(`\n${bar}\n`);
  }

  /** As `beforeDiff`, for a merge compared with all parents, in any format. */
  beforeCombinedDiff(): void {
    const { format } = this.#context;
    if (format.kind === "user" && format.template === "") return;
    this.#write(`${this.#linePadding()}${this.#end}`);
  }

  /** Receives the bytes of a diff, and adds the graph to each line. */
  diffWriter(): (data: Uint8Array) => void {
    const { out } = this.#options;
    if (this.#graph === null && this.#options.linePrefix === undefined) return out;
    let atStart = true;
    return (data) => {
      for (let at = 0; at < data.length; ) {
        const newline = data.indexOf(10, at);
        const end = newline < 0 ? data.length : newline + 1;
        if (atStart) out(this.#linePadding());
        out(data.subarray(at, end));
        atStart = newline >= 0;
        at = end;
      }
    };
  }

  #linePadding(): string {
    return this.#prefixed(this.#graph?.paddingLine() ?? "");
  }

  #prefixed(text: string): string {
    return (this.#options.linePrefix ?? "") + text;
  }

  #prefixedLines(text: string): string {
    return text
      .split("\n")
      .map((line) => this.#prefixed(line))
      .join("\n");
  }

  #write(text: string): void {
    this.#options.out(text);
  }

  /** True: complete. */
  async #firstLine(commit: LogCommit): Promise<boolean> {
    const { format, repo, color, decorations, fullDecorations } = this.#context;
    const { oid, reflog } = commit;
    if (format.kind === "user") return false;
    if (format.kind === "email" || format.kind === "mboxrd") {
      this.#write(`From ${oid} Mon Sep 17 00:00:00 2001\n${this.#graph?.nextLine() ?? ""}`);
      return false;
    }
    const oneline = format.kind === "oneline";
    let text = oneline ? "" : "commit ";
    if (this.#graph === null && commit.displayMark) text += `${commit.displayMark} `;
    text += await this.#name(oid);
    for (const other of commit.related ?? []) text += ` ${await this.#name(other)}`;
    if (commit.from !== undefined) text += ` (from ${await this.#name(commit.from)})`;
    text = this.colored(text);
    if (this.#context.showSource && commit.source !== undefined) text += `\t${commit.source}`;
    if (this.#options.decorate) {
      text += formatDecorations(await decorations(), repo.config, oid, { color, full: fullDecorations });
    }
    text += oneline
      ? " "
      : `\n${this.#graph === null ? (this.#options.linePrefix ?? "") : this.#prefixed(this.#graph.nextLine())}`;
    if (reflog !== undefined) {
      const { name, email } = this.#context.mailmap?.map(reflog.who.name, reflog.who.email) ?? reflog.who;
      text += oneline
        ? `${reflog.selector}: ${reflog.message}`
        : `Reflog: ${reflog.selector} (${name} <${email}>)\nReflog message: ${reflog.message}\n`;
      if (oneline) {
        this.#write(`${text}${this.#end}`);
        return true;
      }
    }
    this.#write(text);
    return false;
  }

  async #name(oid: Oid): Promise<string> {
    const { abbrevCommit } = this.#options;
    if (abbrevCommit === undefined) return oid;
    return this.#context.repo.odb.abbreviate(oid, abbrevCommit ?? undefined);
  }

  async #notesOf({ oid }: LogCommit): Promise<{ raw: string; displayed: string }> {
    const notes = { raw: "", displayed: "" };
    for (const { ref, read } of this.#options.notes ?? []) {
      const note = await read(oid);
      if (note === null) continue;
      const text = reencode(note, UTF8, this.#context.encoding ?? UTF8) ?? note;
      notes.raw += formatNote(ref, text, true);
      notes.displayed += formatNote(ref, text, false);
    }
    return notes;
  }

  #writeMessage(message: string): void {
    if (this.#graph === null) {
      this.#writeLines(message);
      return;
    }
    const ended = message.endsWith("\n");
    for (let at = 0; at < message.length; ) {
      const newline = message.indexOf("\n", at);
      const next = newline < 0 ? message.length : newline + 1;
      this.#write(message.slice(at, next));
      if (newline >= 0 && next < message.length) this.#write(this.#prefixed(this.#graph.nextLine()));
      at = next;
    }
    if (this.#graph.isFinished) return;
    if (!ended) this.#write("\n");
    this.#write(this.#prefixedLines(this.#graph.remainder()));
    if (ended) this.#write("\n");
  }

  #writeLines(message: string): void {
    const { linePrefix } = this.#options;
    this.#write(linePrefix === undefined ? message : message.replace(/\n(?=.)/gs, () => `\n${linePrefix}`));
  }
}
