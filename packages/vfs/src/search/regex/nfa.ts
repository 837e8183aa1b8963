/**
 * An NFA over characters, forwards or backwards. Alternatives are in order of preference, as in Rust's: what a backtracking matcher
 * would find first. Repetitions are unrolled, so their product is bounded here.
 */
import { type Look, matchesEmpty, type Node } from "./ast.ts";
import type { CharSet } from "./char-set.ts";
import { badPattern } from "./cursor.ts";

export const MATCH = 0;
export const CHAR = 1;
export const SPLIT = 2;
export const LOOK = 3;
/** Takes any character, and any byte that is part of none. */
export const ANY = 4;

export const LOOKS: readonly Look[] = [
  "text-start",
  "text-end",
  "line-start",
  "line-end",
  "line-start-crlf",
  "line-end-crlf",
  "word",
  "not-word",
  "word-start",
  "word-end",
  "word-start-half",
  "word-end-half",
];

const MAX_STATES = 50_000;

export interface Nfa {
  readonly ops: readonly number[];
  /** CHAR: number of its set. LOOK: index into LOOKS, plus 16 for words of ASCII. */
  readonly args: readonly number[];
  /** Successors; a SPLIT has several, best first. */
  readonly nexts: readonly (readonly number[])[];
  readonly start: number;
  /** Tries at every character; later starts are worse. */
  readonly unanchored: number;
  readonly looks: boolean;
}

/** The sets of a pattern, shared by its automata. */
export class SetTable {
  readonly sets: CharSet[] = [];
  readonly #ids = new Map<CharSet | number, number>();

  /** Equal literals share a number, so that the alphabet stays small. */
  idOf(set: CharSet, code: number | undefined): number {
    const key = code ?? set;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.sets.push(set) - 1;
      this.#ids.set(key, id);
    }
    return id;
  }
}

export function buildNfa(node: Node, direction: "forward" | "reverse", sets: SetTable, pattern: string): Nfa {
  const builder = new Builder(direction === "reverse", sets, pattern);
  const match = builder.add(MATCH, 0, []);
  const start = builder.node(node, match);
  const any = builder.add(ANY, 0, []);
  const unanchored = builder.add(SPLIT, 0, [start, any]);
  builder.nexts[any] = [unanchored];
  const { ops, args, nexts } = builder;
  return { ops, args, nexts, start, unanchored, looks: ops.includes(LOOK) };
}

class Builder {
  readonly ops: number[] = [];
  readonly args: number[] = [];
  readonly nexts: number[][] = [];

  constructor(
    readonly backwards: boolean,
    readonly sets: SetTable,
    readonly pattern: string,
  ) {}

  add(op: number, arg: number, next: number[]): number {
    if (this.ops.length >= MAX_STATES) throw badPattern(this.pattern, `too large: more than ${MAX_STATES} states`);
    this.ops.push(op);
    this.args.push(arg);
    this.nexts.push(next);
    return this.ops.length - 1;
  }

  /** The start state of `node`, which continues to `next`. */
  node(node: Node, next: number): number {
    switch (node.kind) {
      case "empty":
        return next;
      case "set":
        return this.add(CHAR, this.sets.idOf(node.set, node.code), [next]);
      case "look":
        return this.add(LOOK, LOOKS.indexOf(node.look) + (node.ascii ? 16 : 0), [next]);
      case "concat": {
        const parts = this.backwards ? node.parts : [...node.parts].reverse();
        return parts.reduce((after, part) => this.node(part, after), next);
      }
      case "alternate":
        return this.add(
          SPLIT,
          0,
          node.options.map((option) => this.node(option, next)),
        );
      case "repeat":
        return this.#repeat(node, next);
      default:
        return node satisfies never;
    }
  }

  #repeat({ node, min, max, lazy }: Node & { kind: "repeat" }, next: number): number {
    const order = (again: number, leave: number) => (lazy ? [leave, again] : [again, leave]);
    let after = next;
    let copies = min;
    if (max === null) {
      if (min === 0 && !matchesEmpty(node)) {
        const loop = this.add(SPLIT, 0, []);
        this.nexts[loop] = order(this.node(node, loop), next);
        return loop;
      }
      // A node that can be empty loops as `(x+)?`; otherwise its empty round would hide the others.
      const loop = this.add(SPLIT, 0, []);
      const body = this.node(node, loop);
      this.nexts[loop] = order(body, next);
      after = min === 0 ? this.add(SPLIT, 0, order(body, next)) : body;
      copies = Math.max(0, min - 1);
    } else {
      for (let i = min; i < max && node.kind !== "empty"; i++)
        after = this.add(SPLIT, 0, order(this.node(node, after), next));
    }
    for (let i = 0; i < copies; i++) {
      const before = this.node(node, after);
      // An empty node repeated any number of times is empty.
      if (before === after) break;
      after = before;
    }
    return after;
  }
}
