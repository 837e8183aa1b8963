/** Wraps lines to a width in columns, as `%w()` and `shortlog -w` do. */
import { escapeLength, pointWidth } from "../text/text-width.ts";

const isSpace = (letter: string) => /^[ \t\n\v\f\r]$/.test(letter);
const isAlnum = (letter: string) => /^[A-Za-z0-9]$/.test(letter);

/**
 * `first` is the indent of the first line (negative: this many columns are already used), `rest` that of the others.
 */
export function wrapText(text: string, width: number, first: number, rest: number): string {
  if (width <= 0) return indentText(text, first, rest);
  let out = "";
  let at = 0;
  let lineStart = 0;
  let indent = first;
  let column = Math.abs(first);
  let space = first < 0 ? 0 : -1;
  const breakLine = () => {
    out += "\n";
    at = space + (space < text.length && isSpace(text[space] as string) ? 1 : 0);
    lineStart = at;
    space = -1;
    indent = rest;
    column = rest;
  };
  for (;;) {
    for (let color = escapeLength(text, at); color > 0; color = escapeLength(text, at)) at += color;
    const ended = at >= text.length;
    const letter = ended ? "" : (text[at] as string);
    if (!ended && !isSpace(letter)) {
      const point = text.codePointAt(at) as number;
      column += pointWidth(point);
      at += point > 0xffff ? 2 : 1;
      continue;
    }
    if (column > width && space >= 0) {
      breakLine();
      continue;
    }
    if (ended && at === lineStart) return out;
    if (space < 0) out += " ".repeat(Math.max(0, indent));
    out += text.slice(space >= 0 ? space : lineStart, at);
    if (ended) return out;
    space = at;
    if (letter === "\t") column |= 7;
    else if (letter === "\n") {
      space++;
      const next = text[space] ?? "";
      if (next === "\n") out += "\n";
      if (next === "\n" || !isAlnum(next)) {
        breakLine();
        continue;
      }
      out += " ";
    }
    column++;
    at++;
  }
}

function indentText(text: string, first: number, rest: number): string {
  let indent = Math.max(0, first);
  let out = "";
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    out += " ".repeat(indent) + text.slice(at, end);
    at = end;
    indent = rest;
  }
  return out;
}
