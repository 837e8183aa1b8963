/** `apply --whitespace=fix`: an added line without its whitespace errors. */
import { isSpace } from "@workspace/text";
import type { WhitespaceRules } from "./whitespace-rules.ts";

const LF = 10;
const CR = 13;
const TAB = 9;
const SPACE = 32;

/** Returns the same array if there was no error. */
export function fixWhitespace(line: Uint8Array, rules: WhitespaceRules): Uint8Array {
  let end = line.length;
  const tail: number[] = [];
  let fixed = false;
  if (rules.blankAtEol) {
    if (end > 0 && line[end - 1] === LF) {
      tail.unshift(LF);
      end--;
      if (end > 0 && line[end - 1] === CR) {
        if (rules.crAtEol) tail.unshift(CR);
        end--;
      }
    }
    const before = end;
    while (end > 0 && isSpace(line[end - 1])) end--;
    fixed = end < before || end + tail.length < line.length;
  }
  const indent = fixIndent(line, end, rules);
  if (indent === null && !fixed) return line;
  const { bytes, from } = indent ?? { bytes: [], from: 0 };
  return Uint8Array.from([...bytes, ...line.subarray(from, end), ...tail]);
}

/** The corrected indent, and where the rest begins; null: it is correct. */
function fixIndent(line: Uint8Array, end: number, rules: WhitespaceRules): { bytes: number[]; from: number } | null {
  let lastTab = -1;
  let lastSpace = -1;
  let isWrong = false;
  for (let i = 0; i < end; i++) {
    if (line[i] === TAB) {
      lastTab = i;
      if (rules.spaceBeforeTab && lastSpace >= 0) isWrong = true;
    } else if (line[i] === SPACE) {
      lastSpace = i;
      if (rules.indentWithNonTab && rules.tabWidth <= i - lastTab) isWrong = true;
    } else break;
  }
  if (isWrong) {
    const from = rules.indentWithNonTab ? Math.max(lastTab, lastSpace) + 1 : lastTab + 1;
    return { bytes: withTabs(line, from, rules.tabWidth), from };
  }
  if (!rules.tabInIndent || lastTab < 0) return null;
  const bytes: number[] = [];
  for (let i = 0; i <= lastTab; i++) {
    if (line[i] !== TAB) bytes.push(line[i] as number);
    else {
      do bytes.push(SPACE);
      while (bytes.length % rules.tabWidth !== 0);
    }
  }
  return { bytes, from: lastTab + 1 };
}

function withTabs(line: Uint8Array, end: number, width: number): number[] {
  const bytes: number[] = [];
  let spaces = 0;
  for (let i = 0; i < end; i++) {
    if (line[i] !== SPACE) {
      spaces = 0;
      bytes.push(line[i] as number);
    } else if (++spaces === width) {
      bytes.push(TAB);
      spaces = 0;
    }
  }
  while (spaces-- > 0) bytes.push(SPACE);
  return bytes;
}
