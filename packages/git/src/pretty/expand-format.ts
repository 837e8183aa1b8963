/** `--format=<template>`: git's placeholders, with padding, wrapping and conditional line breaks for empty placeholders. */
import { configuredColor, parseColor, RESET } from "../config/color.ts";
import { GitError } from "../errors.ts";
import { commitSubject, sanitizedSubject, splitMessage } from "../message/commit-message.ts";
import { commitEncoding } from "../object/commit.ts";
import type { Oid } from "../object/oid.ts";
import type { Signature } from "../object/signature.ts";
import { textWidth } from "../text/text-width.ts";
import { formatDecorations } from "./decorations.ts";
import { describeOptions } from "./describe-options.ts";
import { formatTrailers } from "./format-trailers.ts";
import { appendPadded, type Padding, parsePadding } from "./padding.ts";
import type { PrettyCommit, PrettyContext } from "./pretty-context.ts";
import { wrapText } from "./wrap-text.ts";

/** A larger width is ignored. */
const LIMIT = 16 * 1024;
const COLOR_WORDS: Readonly<Record<string, string>> = {
  red: "\x1b[31m",
  green: "\x1b[32m",
  blue: "\x1b[34m",
  reset: RESET,
};

export async function expandFormat(context: PrettyContext, commit: PrettyCommit, template: string): Promise<string> {
  return new Expansion(context, commit).expand(template);
}

class Expansion {
  readonly #context: PrettyContext;
  readonly #commit: PrettyCommit;
  #out = "";
  #autoColor = false;
  #flush: Padding | null = null;
  #wrap = { start: 0, width: 0, first: 0, rest: 0 };

  constructor(context: PrettyContext, commit: PrettyCommit) {
    this.#context = context;
    this.#commit = commit;
  }

  async expand(template: string): Promise<string> {
    let at = 0;
    for (;;) {
      const percent = template.indexOf("%", at);
      if (percent < 0) break;
      this.#out += template.slice(at, percent);
      at = percent + 1;
      if (template[at] === "%") {
        this.#out += "%";
        at++;
        continue;
      }
      const consumed = await this.#item(template, at);
      if (consumed === 0) this.#out += "%";
      at += consumed;
    }
    this.#out += template.slice(at);
    this.#rewrap(0, 0, 0);
    return this.#out;
  }

  async #item(template: string, at: number): Promise<number> {
    const sign = template[at] as string;
    const magic = sign === "-" || sign === "+" || sign === " " ? sign : "";
    if (magic !== "" && template[at + 1] === "w") return 0;
    const before = this.#out.length;
    const position = at + magic.length;
    const consumed =
      this.#flush === null ? await this.#one(template, position) : await this.#padded(template, position);
    if (magic === "") return consumed;
    if (this.#out.length === before) {
      if (magic === "-") this.#out = this.#out.replace(/(?<!\n)\n+$/, () => "");
    } else if (magic !== "-") {
      this.#out = `${this.#out.slice(0, before)}${magic === "+" ? "\n" : " "}${this.#out.slice(before)}`;
    }
    return consumed + 1;
  }

  /** Expands the placeholder at `at`; 0: there is none. */
  async #one(template: string, at: number): Promise<number> {
    switch (template[at]) {
      case "C":
        return this.#color(template, at);
      case "w":
        return this.#startWrap(template, at);
      case "<":
      case ">":
        return this.#startPadding(template, at);
      case "n":
        this.#out += "\n";
        return 1;
      case "x": {
        const code = /^[0-9a-fA-F]{2}/.exec(template.slice(at + 1, at + 3))?.[0];
        if (code === undefined) return 0;
        this.#out += String.fromCharCode(Number.parseInt(code, 16));
        return 3;
      }
      case "(":
        return this.#named(template, at);
      case "a":
      case "c": {
        const who = template[at] === "a" ? this.#commit.commit.author : this.#commit.commit.committer;
        return this.#person(who, template[at + 1] ?? "");
      }
      case "g":
        return this.#reflog(template[at + 1] ?? "");
      case "G":
        return this.#signature(template[at + 1] ?? "");
      default:
        return (await this.#ofCommit(template[at] ?? "")) ? 1 : 0;
    }
  }

  async #ofCommit(letter: string): Promise<boolean> {
    const { oid, commit, parents } = this.#commit;
    const { repo, abbrev } = this.#context;
    const short = (name: Oid) => repo.odb.abbreviate(name, abbrev);
    switch (letter) {
      case "H":
        this.#out += this.#colored(oid);
        return true;
      case "h":
        this.#out += this.#colored(await short(oid));
        return true;
      case "T":
        this.#out += commit.tree;
        return true;
      case "t":
        this.#out += await short(commit.tree);
        return true;
      case "P":
        this.#out += parents.join(" ");
        return true;
      case "p":
        this.#out += (await Promise.all(parents.map(short))).join(" ");
        return true;
      case "m":
        this.#out += this.#commit.mark ?? ">";
        return true;
      case "d":
        this.#out += await this.#decorated();
        return true;
      case "D":
        this.#out += await this.#decorated({ prefix: "", suffix: "" });
        return true;
      case "S":
        this.#out += this.#commit.source ?? "";
        return true;
      case "N":
        this.#out += this.#commit.notes ?? "";
        return true;
      case "e":
        this.#out += commitEncoding(commit) ?? "";
        return true;
      case "s":
        this.#out += commitSubject(commit.message);
        return true;
      case "f":
        this.#out += sanitizedSubject(commit.message);
        return true;
      case "b":
        this.#out += splitMessage(commit.message).body;
        return true;
      case "B":
        this.#out += commit.message;
        return true;
      default:
        return false;
    }
  }

  async #decorated(around: { prefix?: string; suffix?: string } = {}): Promise<string> {
    const { repo, decorations, fullDecorations } = this.#context;
    const style = { full: fullDecorations, color: this.#autoColor, ...around };
    return formatDecorations(await decorations(), repo.config, this.#commit.oid, style);
  }

  #colored(text: string): string {
    if (!this.#autoColor) return text;
    return `${configuredColor(this.#context.repo.config, "color.diff.commit", "\x1b[33m")}${text}${RESET}`;
  }

  async #person(who: Signature, letter: string): Promise<number> {
    let { name, email } = who;
    if (/[NEL]/.test(letter)) ({ name, email } = (await this.#context.anyMailmap()).map(name, email));
    const { date } = this.#context;
    switch (letter) {
      case "n":
      case "N":
        this.#out += name;
        return 2;
      case "e":
      case "E":
        this.#out += email;
        return 2;
      case "l":
      case "L":
        this.#out += email.split("@", 1)[0];
        return 2;
      case "t":
        this.#out += who.undated ? "" : who.seconds;
        return 2;
      case "d":
        this.#out += who.undated ? "" : date(who);
        return 2;
      default: {
        const mode = DATE_MODES[letter];
        if (mode === undefined) return 0;
        this.#out += who.undated ? "" : date(who, mode);
        return 2;
      }
    }
  }

  async #reflog(letter: string): Promise<number> {
    if (!/^[dDsnNeE]$/.test(letter)) return 0;
    const { reflog } = this.#commit;
    if (reflog === undefined) return 2;
    switch (letter) {
      case "D":
        this.#out += reflog.selector;
        return 2;
      case "d":
        this.#out += reflog.shortSelector;
        return 2;
      case "s":
        this.#out += reflog.message;
        return 2;
      default:
        return this.#person(reflog.who, letter);
    }
  }

  /** Signatures are never verified here: every commit counts as unsigned. */
  #signature(letter: string): number {
    if (!/^[G?SKFPT]$/.test(letter)) return 0;
    if (letter === "?") this.#out += "N";
    if (letter === "T") this.#out += "undefined";
    return 2;
  }

  async #named(template: string, at: number): Promise<number> {
    const close = template.indexOf(")", at);
    if (close < 0) return 0;
    const inner = template.slice(at + 1, close);
    const { commit, oid } = this.#commit;
    if (inner === "trailers" || inner.startsWith("trailers:")) {
      const text = formatTrailers(commit.message, inner.slice("trailers:".length));
      if (text === null) return 0;
      this.#out += text;
      return close + 1 - at;
    }
    if (inner === "describe" || inner.startsWith("describe:")) {
      const options = describeOptions(inner.slice("describe:".length));
      if (options === null || this.#context.describe === undefined) return 0;
      this.#out += await this.#context.describe(oid, options);
      return close + 1 - at;
    }
    return 0;
  }

  #color(template: string, at: number): number {
    const { color } = this.#context;
    if (template.startsWith("(auto)", at + 1)) {
      this.#autoColor = color;
      if (color && this.#out !== "") this.#out += RESET;
      return 7;
    }
    if (template[at + 1] === "(") {
      const close = template.indexOf(")", at);
      if (close < 0) return 0;
      let spec = template.slice(at + 2, close);
      const always = spec.startsWith("always,");
      spec = spec.replace(/^(auto|always),/, () => "");
      if (always || color) {
        const code = parseColor(spec);
        if (code === null) throw new GitError("EINVAL", "unable to parse --pretty format");
        this.#out += code;
      }
      this.#autoColor = false;
      return close + 1 - at;
    }
    for (const [word, code] of Object.entries(COLOR_WORDS)) {
      if (!template.startsWith(word, at + 1)) continue;
      if (color) this.#out += code;
      this.#autoColor = false;
      return 1 + word.length;
    }
    return 0;
  }

  #startWrap(template: string, at: number): number {
    const match = /^w\((\d*)(?:,(\d*)(?:,(\d*))?)?\)/.exec(template.slice(at, at + 64));
    if (match === null) return 0;
    const [width = 0, first = 0, rest = 0] = match.slice(1).map((number) => Number(number ?? 0));
    if (Math.max(width, first, rest) > LIMIT) return 0;
    this.#rewrap(width, first, rest);
    return match[0].length;
  }

  /** Text since the last change is wrapped with the earlier settings. */
  #rewrap(width: number, first: number, rest: number): void {
    const now = this.#wrap;
    if (now.width === width && now.first === first && now.rest === rest) return;
    if (now.start < this.#out.length) {
      const tail = this.#out.slice(now.start);
      this.#out = this.#out.slice(0, now.start) + wrapText(tail, now.width, now.first, now.rest);
    }
    this.#wrap = { start: this.#out.length, width, first, rest };
  }

  #startPadding(template: string, at: number): number {
    const found = parsePadding(template, at);
    if (found === null) return 0;
    this.#flush = found.padding;
    return found.length;
  }

  async #padded(template: string, at: number): Promise<number> {
    const flush = this.#flush as Padding;
    this.#flush = null;
    const before = this.#out;
    let width = flush.width;
    if (flush.toColumn) {
      const line = before.slice(before.lastIndexOf("\n") + 1);
      width -= textWidth(line) + (this.#commit.graphWidth ?? 0);
    }
    this.#out = "";
    let consumed = 0;
    for (;;) {
      const modifier = template[at + consumed] === "C";
      const more = await this.#one(template, at + consumed);
      consumed += more;
      if (!modifier || template[at + consumed] !== "%") break;
      consumed++;
    }
    this.#out = appendPadded(before, this.#out, width, flush);
    // A padding directive in place of a value is dropped.
    this.#flush = null;
    return consumed;
  }
}

const DATE_MODES: Readonly<Record<string, string>> = {
  D: "rfc2822",
  r: "relative",
  i: "iso",
  I: "iso-strict",
  s: "short",
  h: "human",
};
