/** Parses inline flags of a regular expression: `(?i)`, `(?s-m:…)` and so on. */
import type { PatternCursor } from "./cursor.ts";

export interface RegexFlags {
  /** Ignore case. */
  i: boolean;
  /** `^` and `$` match at lines. */
  m: boolean;
  /** `.` matches a line ending. */
  s: boolean;
  /** "\r" and "\r\n" end a line too, for `^`, `$` and `.`. */
  R: boolean;
  /** Greedy and lazy are swapped. */
  U: boolean;
  /** Unicode. */
  u: boolean;
  /** Verbose. */
  x: boolean;
}

/** Reads up to `)` or `:`; "rest" when the flags apply to the rest of the enclosing group, without a new group. */
export function readFlags(cursor: PatternCursor, flags: RegexFlags, start: number): "rest" | "group" {
  const seen = new Set<string>();
  let on = true;
  let last = "";
  for (;;) {
    const c = cursor.next();
    if (c === ")" || c === ":") {
      if (last === "-") cursor.fail("dangling flag negation operator");
      if (c === ")" && last === "") cursor.fail("repetition operator missing expression", start);
      return c === ")" ? "rest" : "group";
    }
    if (c === "") cursor.fail("unclosed group", start);
    if (c === "-") {
      if (!on) cursor.fail("duplicate flag negation operator");
      on = false;
    } else {
      if (!(c in flags)) cursor.fail("unrecognized flag", cursor.at - 1);
      if (seen.has(c)) cursor.fail("duplicate flag", cursor.at - 1);
      seen.add(c);
      flags[c as keyof RegexFlags] = on;
    }
    last = c;
  }
}
