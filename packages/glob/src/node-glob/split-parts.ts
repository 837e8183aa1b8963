/**
 * Splits a brace-free pattern at its slashes and normalizes it as Node does: removes doubled slashes and inner `.`, removes `a/..`
 * even when `a` is a wildcard, and merges consecutive `**`. Any remaining `.` and `..` are at the start or the end.
 */
import { GlobError } from "../errors.ts";

/** The first part is "" for an absolute pattern; the last is "" for one that ends in a slash. */
export function splitParts(pattern: string): string[] {
  const parts = pattern.split(/\/+/);
  const tidy: string[] = [];
  parts.forEach((part, index) => {
    const isInner = index > 0 && index < parts.length - 1;
    if (isInner && (part === "." || part === "")) return;
    if (part === "**" && tidy.at(-1) === "**") return;
    if (part === ".." && tidy.at(-1) === "**") {
      throw new GlobError(pattern, pattern.indexOf(".."), "`..` after `**` is not supported");
    }
    if (part === ".." && foldsAway(tidy.at(-1))) {
      tidy.pop();
      // `a/../**` is `./**`: it yields the directory itself, which a bare `**` behind other parts would not.
      if (tidy.length === 0 && parts[index + 1] === "**") tidy.push(".");
      return;
    }
    tidy.push(part);
  });
  if (tidy.length === 2 && tidy[0] === "." && (tidy[1] === "." || tidy[1] === "")) tidy.pop();
  return tidy.length === 0 ? [""] : tidy;
}

function foldsAway(part: string | undefined): boolean {
  return part !== undefined && part !== "" && part !== "." && part !== "..";
}
