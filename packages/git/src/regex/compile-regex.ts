/**
 * Regular expressions in time linear in the text, for any pattern: follows all possible matches at once, and chooses the
 * leftmost longest, as POSIX requires. A literal that every match must contain is searched first.
 */
import { isWordCode } from "./char-set.ts";
import { parseRegex, RegexError } from "./parse-regex.ts";
import type { Assertion, Node } from "./syntax-tree.ts";
import { translatePerl } from "./translate-perl.ts";

export interface Regex {
  /** Every match contains it; "" if no common text is known. */
  readonly literal: string;
  test(text: string): boolean;
  /** The leftmost, longest match that begins at `from` or later; `from` does not count as the start of a line. */
  exec(text: string, from?: number): { readonly start: number; readonly end: number } | null;
}

export interface RegexOptions {
  readonly syntax?: "basic" | "extended" | "fixed" | "perl";
  readonly ignoreCase?: boolean;
  /** The end of a match matters: patterns that Perl might end elsewhere are refused. */
  readonly exactEnds?: boolean;
}

/** Throws `RegexError`. Text is matched by code points; pass both as one character per byte to match bytes. */
export function compileRegex(pattern: string, options: RegexOptions = {}): Regex {
  const { syntax = "basic", ignoreCase = false } = options;
  if (syntax === "perl") {
    const translated = translatePerl(pattern);
    if (options.exactEnds && translated.extentsDiffer)
      throw new RegexError("with alternatives or lazy quantifiers the extent of a match is not known here; use -E");
    return compileRegex(translated.pattern, {
      syntax: "extended",
      ignoreCase: ignoreCase || translated.ignoreCase,
    });
  }
  if (syntax === "fixed" && !ignoreCase) return literalRegex(pattern);
  const tree: Node =
    syntax === "fixed"
      ? {
          kind: "all",
          parts: Array.from(pattern, (letter) => parseRegex(quoted(letter), { extended: true, ignoreCase })),
        }
      : parseRegex(pattern, { extended: syntax === "extended", ignoreCase });
  if (isLiteral(tree)) return literalRegex(literalPrefix(tree));
  return new Machine(compile(tree), longestLiteral(tree));
}

function quoted(letter: string): string {
  return /[\\.[\]{}()*+?^$|]/.test(letter) ? `\\${letter}` : letter;
}

function literalRegex(literal: string): Regex {
  return {
    literal,
    test: (text) => text.includes(literal),
    exec(text, from = 0) {
      const start = text.indexOf(literal, from);
      return start < 0 ? null : { start, end: start + literal.length };
    },
  };
}

function isLiteral(node: Node): boolean {
  return node.kind === "char" || (node.kind === "all" && node.parts.every((part) => part.kind === "char"));
}

function literalPrefix(node: Node): string {
  if (node.kind === "char") return String.fromCodePoint(node.code);
  return node.kind === "all" ? node.parts.map(literalPrefix).join("") : "";
}

/** The longest run of plain characters on the way that every match goes. */
function longestLiteral(tree: Node): string {
  const parts = tree.kind === "all" ? tree.parts : [tree];
  let best = "";
  let run = "";
  for (const part of parts) {
    if (part.kind === "char") run += String.fromCodePoint(part.code);
    else {
      const inner = part.kind === "all" ? longestLiteral(part) : "";
      if (inner.length > best.length) best = inner;
      if (part.kind !== "assert") run = "";
    }
    if (run.length > best.length) best = run;
  }
  return best;
}

type Instruction =
  | { readonly op: "char"; readonly code: number }
  | { readonly op: "set"; readonly set: { has(code: number): boolean } }
  | { readonly op: "assert"; readonly what: Assertion }
  | { op: "split"; first: number; second: number }
  | { op: "jump"; to: number }
  | { readonly op: "match" };

/** A counted repetition is expanded, so a few characters can require millions of states. */
const MAX_INSTRUCTIONS = 50_000;

function compile(tree: Node): Instruction[] {
  const program: Instruction[] = [];
  const push = <I extends Instruction>(instruction: I): I => {
    if (program.length >= MAX_INSTRUCTIONS) throw new RegexError("Regular expression too big");
    program.push(instruction);
    return instruction;
  };
  const split = () => push({ op: "split" as const, first: program.length + 1, second: -1 });
  const emit = (node: Node): void => {
    switch (node.kind) {
      case "empty":
        return;
      case "char":
        push({ op: "char", code: node.code });
        return;
      case "set":
        push({ op: "set", set: node.set });
        return;
      case "assert":
        push({ op: "assert", what: node.what });
        return;
      case "all":
        for (const part of node.parts) emit(part);
        return;
      case "any":
        emitAny(node.parts);
        return;
      case "repeat":
        emitRepeat(node);
        return;
      default:
        node satisfies never;
    }
  };
  const emitAny = (parts: readonly Node[]) => {
    const jumps: { op: "jump"; to: number }[] = [];
    for (const [at, part] of parts.entries()) {
      const fork = at < parts.length - 1 ? split() : null;
      emit(part);
      if (fork === null) break;
      jumps.push(push({ op: "jump", to: -1 }));
      fork.second = program.length;
    }
    for (const jump of jumps) jump.to = program.length;
  };
  const emitRepeat = ({ inner, min, max }: Node & { kind: "repeat" }) => {
    for (let i = 0; i < min; i++) emit(inner);
    if (max === Number.POSITIVE_INFINITY) {
      const start = program.length;
      const fork = split();
      emit(inner);
      push({ op: "jump", to: start });
      fork.second = program.length;
      return;
    }
    const forks: { second: number }[] = [];
    for (let i = min; i < max; i++) {
      forks.push(split());
      emit(inner);
    }
    for (const fork of forks) fork.second = program.length;
  };
  emit(tree);
  push({ op: "match" });
  return program;
}

/** Live states, in order of their match's start, each once. */
class StateList {
  readonly states: Int32Array;
  readonly starts: Int32Array;
  readonly #mark: Int32Array;
  #round = 0;
  length = 0;

  constructor(size: number) {
    this.states = new Int32Array(size);
    this.starts = new Int32Array(size);
    this.#mark = new Int32Array(size);
  }

  clear(): void {
    this.length = 0;
    this.#round++;
  }

  /** False: already added in this round. */
  see(state: number): boolean {
    if (this.#mark[state] === this.#round) return false;
    this.#mark[state] = this.#round;
    return true;
  }

  push(state: number, start: number): void {
    this.states[this.length] = state;
    this.starts[this.length++] = start;
  }
}

class Machine implements Regex {
  readonly #program: readonly Instruction[];
  readonly literal: string;
  readonly #stack: number[] = [];
  #now: StateList;
  #next: StateList;

  constructor(program: readonly Instruction[], literal: string) {
    this.#program = program;
    this.literal = literal;
    this.#now = new StateList(program.length);
    this.#next = new StateList(program.length);
  }

  test(text: string): boolean {
    return this.#run(text, 0, true) !== null;
  }

  exec(text: string, from = 0): { start: number; end: number } | null {
    return this.#run(text, from, false);
  }

  #run(text: string, from: number, any: boolean): { start: number; end: number } | null {
    if (this.literal !== "" && text.indexOf(this.literal, from) < 0) return null;
    let best: { start: number; end: number } | null = null;
    this.#now.clear();
    let before = from > 0 ? text.charCodeAt(from - 1) : -1;
    for (let at = from; ; ) {
      const code = at < text.length ? (text.codePointAt(at) as number) : -1;
      if (best === null) this.#add(this.#now, 0, at, before, code);
      const now = this.#now;
      if (now.length === 0 && best !== null) return best;
      const next = this.#next;
      next.clear();
      const after = at + (code > 0xffff ? 2 : 1);
      const coming = after < text.length ? (text.codePointAt(after) as number) : -1;
      for (let i = 0; i < now.length; i++) {
        const start = now.starts[i] as number;
        if (best !== null && start > best.start) break;
        const instruction = this.#program[now.states[i] as number] as Instruction;
        if (instruction.op === "match") {
          if (any) return { start, end: at };
          if (best === null || start < best.start || at > best.end) best = { start, end: at };
        } else if (code >= 0 && matches(instruction, code)) {
          this.#add(next, (now.states[i] as number) + 1, start, code, coming);
        }
      }
      if (code < 0) return best;
      before = code;
      at = after;
      this.#now = next;
      this.#next = now;
    }
  }

  /** `state` and all that can be reached from it without a character. */
  #add(list: StateList, state: number, start: number, before: number, after: number): void {
    const stack = this.#stack;
    stack.push(state);
    while (stack.length > 0) {
      const at = stack.pop() as number;
      if (!list.see(at)) continue;
      const instruction = this.#program[at] as Instruction;
      switch (instruction.op) {
        case "jump":
          stack.push(instruction.to);
          break;
        case "split":
          stack.push(instruction.second, instruction.first);
          break;
        case "assert":
          if (holds(instruction.what, before, after)) stack.push(at + 1);
          break;
        default:
          list.push(at, start);
      }
    }
  }
}

function matches(instruction: Instruction, code: number): boolean {
  return instruction.op === "char" ? instruction.code === code : instruction.op === "set" && instruction.set.has(code);
}

function holds(what: Assertion, before: number, after: number): boolean {
  const [left, right] = [isWordCode(before), isWordCode(after)];
  switch (what) {
    case "line-start":
      return before < 0 || before === 10;
    case "line-end":
      return after < 0 || after === 10;
    case "word-start":
      return !left && right;
    case "word-end":
      return left && !right;
    case "word-edge":
      return left !== right;
    case "no-word-edge":
      return left === right;
    default:
      return what satisfies never;
  }
}
