/** Renames, removes and copies whole sections, line by line as git does. Texts are binary strings. */
import { encode } from "../text/bytes.ts";
import { toLatin1 } from "./config-syntax.ts";
import { formatHeader } from "./edit-config.ts";

interface SectionEdit {
  readonly text: string;
  /** How many sections had the name. */
  readonly count: number;
}

/** `to` null removes. Names are "section" or "section.sub section". */
export function renameSection(text: string, from: string, to: string | null): SectionEdit {
  let count = 0;
  let removing = false;
  let result = "";
  for (const line of splitKeepingNewlines(text)) {
    const header = matchSectionHeader(line, from);
    if (header !== "none") removing = false;
    if (header !== "none" && header !== "other") {
      count++;
      if (to === null) {
        removing = true;
        continue;
      }
      const rest = line.slice(header);
      result += headerText(to) + (rest === "" ? "" : `\t${rest}`);
      continue;
    }
    if (!removing) result += line;
  }
  return { text: result, count };
}

/** Copies every section of that name, right after it. */
export function copySection(text: string, from: string, to: string): SectionEdit {
  let count = 0;
  let copy = "";
  let copying = false;
  let result = "";
  for (const line of splitKeepingNewlines(text)) {
    const header = matchSectionHeader(line, from);
    if (header !== "none") {
      copying = header !== "other";
      if (copying) {
        count++;
        const rest = line.slice(header as number);
        copy += headerText(to) + (rest === "" ? "" : `\t${rest}`);
      } else {
        result += copy;
        copy = "";
      }
    } else if (copying) copy += line;
    result += line;
  }
  return { text: result + copy, count };
}

function splitKeepingNewlines(text: string): string[] {
  const lines = text.split("\n").map((line) => `${line}\n`);
  const last = lines.pop() as string;
  return last === "\n" ? lines : [...lines, last.slice(0, -1)];
}

function headerText(name: string): string {
  const dot = name.indexOf(".");
  return dot < 0 ? formatHeader(name, null) : formatHeader(name.slice(0, dot), name.slice(dot + 1));
}

/** The end of the header of that name, including the blanks after it. */
function matchSectionHeader(line: string, name: string): number | "other" | "none" {
  const start = /^[ \t\r\f\v]*/.exec(line)?.[0].length ?? 0;
  if (line[start] !== "[") return "none";
  const header = /^\[([^\s\]"]*)(?:\s+"((?:[^"\\]|\\.)*)"\s*)?\]\s*/s.exec(line.slice(start));
  if (!header) return "other";
  const sub = header[2]?.replace(/\\(.)/gs, (_, c: string) => c);
  const found = sub === undefined ? (header[1] as string) : `${header[1]}.${sub}`;
  return found === toLatin1(encode(name)) ? start + header[0].length : "other";
}
