/** Makes a failing question short: leaves out flags, files, lines and parts of the pattern as long as it still fails. */
import type { Grown } from "./generate-question.ts";
import type { Entry, Query } from "./question.ts";
import { printed, simpler } from "./regex-tree.ts";

export interface Failing {
  tree: readonly Entry[];
  grown: Grown;
  why: string;
}

/** What is wrong with a question, or undefined. */
export type Judge = (tree: readonly Entry[], query: Query) => Promise<string | undefined>;

const ATTEMPTS = 250;

export async function shorten(failing: Failing, judge: Judge): Promise<Failing> {
  let shortest = failing;
  let left = ATTEMPTS;
  for (let found = true; found && left > 0; ) {
    found = false;
    for (const { tree, grown } of shorter(shortest)) {
      if (left-- <= 0) break;
      const why = await judge(tree, grown.query);
      if (why === undefined) continue;
      shortest = { tree, grown, why };
      found = true;
      break;
    }
  }
  return shortest;
}

function* shorter({ tree, grown }: Failing): Generator<Omit<Failing, "why">> {
  for (let size = tree.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < tree.length; at += size) yield { grown, tree: tree.toSpliced(at, size) };
  }
  for (const flag of Object.keys(grown.query) as (keyof Query)[]) {
    if (flag === "pattern" || flag === "regex") continue;
    const { [flag]: _, ...query } = grown.query;
    yield { tree, grown: { ...grown, query: query as Query } };
  }
  if (typeof grown.query.pattern !== "string") {
    for (const pattern of grown.query.pattern) yield { tree, grown: { query: { ...grown.query, pattern } } };
  }
  if (grown.regex) {
    for (const regex of simpler(grown.regex)) {
      yield { tree, grown: { regex, query: { ...grown.query, pattern: printed(regex) } } };
    }
  }
  for (const [at, entry] of tree.entries()) {
    for (const less of shorterFiles(entry)) yield { grown, tree: tree.with(at, less) };
  }
}

function* shorterFiles(entry: Entry): Generator<Entry> {
  const field = "text" in entry ? "text" : "bytes" in entry ? "bytes" : undefined;
  if (field === undefined) return;
  const content = (entry as Record<string, string>)[field] as string;
  const lines = content.split(/(?<=\n)/);
  for (const parts of [lines, lines.length === 1 ? content.split(/\b/) : []]) {
    if (parts.length < 2) continue;
    for (let size = parts.length >> 1; size >= 1; size >>= 1) {
      for (let at = 0; at < parts.length; at += size) {
        yield { path: entry.path, [field]: parts.toSpliced(at, size).join("") } as Entry;
      }
    }
  }
}
