/** The lines before the message of a commit or tag: `name value`, a value going on in lines that begin with a space. */
import { GitError } from "../errors.ts";

export interface ObjectHeaderLine {
  readonly name: string;
  /** Several lines of it are joined by "\n", without the space each began with. */
  readonly value: string;
}

/** The headers, and where the message begins. */
export function parseHeaders(text: string): { headers: ObjectHeaderLine[]; messageAt: number } {
  const headers: { name: string; value: string }[] = [];
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    if (end === at) return { headers, messageAt: at + 1 };
    const last = headers.at(-1);
    if (text[at] === " " && last !== undefined) last.value += `\n${text.slice(at + 1, end)}`;
    else headers.push(split(text.slice(at, end)));
    at = end + 1;
  }
  return { headers, messageAt: text.length };
}

function split(line: string): { name: string; value: string } {
  const space = line.indexOf(" ");
  return space < 0 ? { name: line, value: "" } : { name: line.slice(0, space), value: line.slice(space + 1) };
}

export function formatHeader({ name, value }: ObjectHeaderLine): string {
  return `${name} ${value.replaceAll("\n", "\n ")}\n`;
}

export function corruptObject(type: string, reason: string): GitError {
  return new GitError("ECORRUPT", `bogus ${type} object: ${reason}`);
}
