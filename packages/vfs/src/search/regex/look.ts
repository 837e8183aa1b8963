/** Whether an assertion holds between two neighbors, by their properties; as Rust's, next to invalid bytes too. */
import { ASCII_WORD, EDGE, INVALID, LINE_END, RETURN, WORD } from "./alphabet.ts";
import { LOOKS } from "./nfa.ts";

/** By LOOK argument: bit set when it holds. Arguments are below 32. */
export function looksBetween(left: number, right: number): number {
  let held = 0;
  for (let i = 0; i < LOOKS.length; i++) {
    if (holds(i, left, right, WORD)) held |= 1 << i;
    if (holds(i, left, right, ASCII_WORD)) held |= 1 << (i + 16);
  }
  return held;
}

function holds(look: number, left: number, right: number, word: number): boolean {
  const before = (left & word) !== 0;
  const after = (right & word) !== 0;
  // Unicode word boundaries exist only between valid characters.
  const text = word === ASCII_WORD || ((left | right) & INVALID) === 0;
  const textBefore = word === ASCII_WORD || (left & INVALID) === 0;
  const textAfter = word === ASCII_WORD || (right & INVALID) === 0;
  switch (LOOKS[look]) {
    case "text-start":
      return (left & EDGE) !== 0;
    case "text-end":
      return (right & EDGE) !== 0;
    case "line-start":
      return (left & (EDGE | LINE_END)) !== 0;
    case "line-end":
      return (right & (EDGE | LINE_END)) !== 0;
    // "\r\n" is one line ending, and nothing begins or ends within it.
    case "line-start-crlf":
      return (left & (EDGE | LINE_END)) !== 0 || ((left & RETURN) !== 0 && (right & LINE_END) === 0);
    case "line-end-crlf":
      return (right & (EDGE | RETURN)) !== 0 || ((right & LINE_END) !== 0 && (left & RETURN) === 0);
    case "word":
      return before !== after;
    case "not-word":
      return text && before === after;
    case "word-start":
      return !before && after;
    case "word-end":
      return before && !after;
    case "word-start-half":
      return textBefore && !before;
    case "word-end-half":
      return textAfter && !after;
    default:
      return false;
  }
}
