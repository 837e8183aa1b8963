/** A reflog: one line an update, newest last. Skips malformed lines, as git does. */

import { parseOid } from "../object/oid.ts";
import { formatSignature, parseSignature } from "../object/signature.ts";
import type { ReflogEntry } from "./ref-store.ts";

export function parseReflog(text: string): ReflogEntry[] {
  const entries: ReflogEntry[] = [];
  for (const line of text.split("\n")) {
    const from = parseOid(line.slice(0, 40));
    const to = parseOid(line.slice(41, 81));
    if (!from || !to || line[40] !== " " || line[81] !== " ") continue;
    const tab = line.indexOf("\t");
    const who = line.slice(82, tab < 0 ? undefined : tab);
    if (!/> \d+ [+-]\d{4}$/.test(who)) continue;
    entries.push({ from, to, who: parseSignature(who), message: tab < 0 ? "" : line.slice(tab + 1) });
  }
  return entries;
}

export function formatReflogEntry({ from, to, who, message }: ReflogEntry): string {
  const text = cleanMessage(message);
  return `${from} ${to} ${formatSignature(who)}${text === "" ? "" : `\t${text}`}\n`;
}

/** On one line: every run of whitespace becomes one space, none at the ends. */
function cleanMessage(message: string): string {
  return message.replace(/[ \t\n\r\f\v]+/g, " ").replace(/^ | $/g, "");
}
