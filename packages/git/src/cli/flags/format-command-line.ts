/** Rebuilds a command line from its parsed form, for the reflog; removes user and password from addresses. */
import { anonymousUrl } from "../../wire/remote-url.ts";
import type { FlagTable, ParsedFlags } from "../framework/flag-table.ts";

export function formatCommandLine<Flags extends FlagTable>(
  table: Flags,
  { args, afterDashes, order }: ParsedFlags<Flags>,
): string[] {
  const words: string[] = [];
  let taken = 0;
  let last = "";
  for (const { name, value, at, text = "" } of order) {
    if (at > taken) last = "";
    words.push(...args.slice(taken, at));
    taken = at;
    const { long, short, value: kind } = table[name] as FlagTable[string];
    const takesNext = kind === "string" || kind === "list" || kind === "number";
    // Both flags of "-qv" carry the whole argument as text.
    const isBundled = text === last && !text.startsWith("--") && text.length > 2;
    if (!isBundled) words.push(text);
    if (takesNext && typeof value === "string" && (text === long || text === short)) words.push(value);
    last = text;
  }
  words.push(...args.slice(taken));
  return (afterDashes === null ? words : [...words, "--", ...afterDashes]).map(anonymousUrl);
}
