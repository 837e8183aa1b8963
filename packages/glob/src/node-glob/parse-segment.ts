/**
 * Parses one path segment of a Node glob into a tree: plain text (which may contain `*`, `?` and classes) and extended globs such
 * as `@(a|b)`, whose alternatives are sequences again. Node parses at most two levels of nesting, except where a level has no
 * effect (`+(+(a))`). A deeper or unclosed group is plain text.
 */
import { GlobError } from "../errors.ts";
import { MAX_NESTING } from "../limits.ts";
import { flattenGroups } from "./flatten-groups.ts";

export type GroupType = "!" | "?" | "+" | "*" | "@";

/** In order; adjacent texts stay separate. */
export type Sequence = (string | SegmentGroup)[];

export interface SegmentGroup {
  type: GroupType;
  alternatives: Sequence[];
  /** Nothing precedes the `)`. For `!` Node treats that as "anything". */
  endsEmpty: boolean;
}

const MAX_GROUP_DEPTH = 2;

/** For a group of one type: the types within it that add no level. */
const SAME_LEVEL: Readonly<Record<GroupType, string>> = { "!": "?@", "?": "?@", "@": "?@", "*": "*+?@", "+": "+@?*" };

export function parseSegment(text: string): Sequence {
  const sequence: Sequence = [];
  new SegmentParser(text).readSequence(sequence);
  flattenGroups(sequence);
  return sequence;
}

class SegmentParser {
  constructor(readonly text: string) {}

  readSequence(sequence: Sequence): void {
    let run = "";
    let i = 0;
    while (i < this.text.length) {
      const classEnd = this.#skipClass(i);
      if (classEnd > i) {
        run += this.text.slice(i, classEnd);
        i = classEnd;
      } else if (this.#opensGroup(i)) {
        if (run) sequence.push(run);
        run = "";
        const read = this.#readGroup(i, 1);
        sequence.push(read.part);
        i = read.end;
      } else {
        run += this.text[i++];
      }
    }
    if (run) sequence.push(run);
  }

  /** Reads the group whose type is at `start`. If not closed, it is the text up to the end. */
  #readGroup(start: number, depth: number, nesting = 1): { part: SegmentGroup | string; end: number } {
    if (nesting > MAX_NESTING) throw new GlobError(this.text, start, `groups are nested deeper than ${MAX_NESTING}`);
    const type = this.text[start] as GroupType;
    const alternatives: Sequence[] = [];
    let sequence: Sequence = [];
    let run = "";
    const flush = () => {
      if (run) sequence.push(run);
      run = "";
    };
    let i = start + 2;
    while (i < this.text.length) {
      const char = this.text[i]!;
      const classEnd = this.#skipClass(i);
      const isSameLevel = SAME_LEVEL[type].includes(char);
      if (classEnd > i) {
        run += this.text.slice(i, classEnd);
        i = classEnd;
      } else if (this.#opensGroup(i) && (depth <= MAX_GROUP_DEPTH || isSameLevel)) {
        flush();
        const read = this.#readGroup(i, depth + (isSameLevel ? 0 : 1), nesting + 1);
        sequence.push(read.part);
        i = read.end;
      } else if (char === "|" || char === ")") {
        const endsEmpty = run === "";
        flush();
        alternatives.push(sequence);
        sequence = [];
        i++;
        if (char === ")") return { part: { type, alternatives, endsEmpty }, end: i };
      } else {
        run += char;
        i++;
      }
    }
    return { part: this.text.slice(start), end: i };
  }

  #opensGroup(i: number): boolean {
    return "!?+*@".includes(this.text[i]!) && this.text[i + 1] === "(";
  }

  /**
   * The offset behind the class that opens at `i`, or `i`. Only what keeps `(` and `|` inside a class from being read as
   * a group: a class that is not closed runs to the end here.
   */
  #skipClass(i: number): number {
    if (this.text[i] !== "[") return i;
    const negated = this.text[i + 1] === "!" || this.text[i + 1] === "^";
    const close = this.text.indexOf("]", i + 2 + (negated ? 1 : 0));
    return close < 0 ? this.text.length : close + 1;
  }
}
