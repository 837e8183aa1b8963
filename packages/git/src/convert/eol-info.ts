/** Describes line endings, of a content and of its attributes, for `git ls-files --eol`. */
import type { Attributes } from "../attributes/attributes.ts";
import { attributeAction, type CrlfAction } from "./line-endings.ts";
import { isBinaryByStats, textStats } from "./text-stats.ts";

/** "lf", "crlf", "mixed", "none" or "-text". */
export function eolOf(content: Uint8Array): string {
  if (content.length === 0) return "none";
  const stats = textStats(content);
  if (isBinaryByStats(stats)) return "-text";
  if (stats.crlf > 0) return stats.loneLf > 0 ? "mixed" : "crlf";
  return stats.loneLf > 0 ? "lf" : "none";
}

const WORDS: Readonly<Record<CrlfAction, string>> = {
  undefined: "",
  binary: "-text",
  text: "text",
  "text-input": "text eol=lf",
  "text-crlf": "text eol=crlf",
  auto: "text=auto",
  "auto-input": "text=auto eol=lf",
  "auto-crlf": "text=auto eol=crlf",
};

/** Describes the line-ending attributes of a path; `path` must have been prepared. */
export function eolAttribute(attributes: Attributes, path: string): string {
  return WORDS[attributeAction((name) => attributes.get(path, name))];
}
