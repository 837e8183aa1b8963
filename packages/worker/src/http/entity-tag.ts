/**
 * Entity tags (RFC 9110, section 8.8.3). A file's tag is its version, strong: it changes with every byte and with the metadata. An
 * invalid list is refused: ignoring a condition would overwrite data that the client wanted to protect.
 */
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";

export interface EntityTag {
  weak: boolean;
  value: string;
}

export type TagList = "*" | readonly EntityTag[];

export function entityTag(version: string): string {
  return `"${version}"`;
}

export function parseTags(name: string, header: string | null | undefined): TagList | undefined {
  if (header === null || header === undefined) return undefined;
  if (header.trim() === "*") return "*";
  const tags: EntityTag[] = [];
  const pattern = /[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(,|$)/y;
  while (pattern.lastIndex < header.length) {
    const match = pattern.exec(header);
    if (match === null || tags.length === LIMITS.tags) throw unreadable(name);
    tags.push({ weak: match[1] !== undefined, value: match[2] ?? "" });
  }
  if (tags.length === 0) throw unreadable(name);
  return tags;
}

/** Compares strongly, for If-Match and If-Range: a weak tag never matches. */
export function matchesStrongly(tags: TagList, version: string | null): boolean {
  return tags === "*" || tags.some((tag) => !tag.weak && tag.value === version);
}

/** Compares weakly, for If-None-Match. */
export function matchesWeakly(tags: TagList, version: string | null): boolean {
  return tags === "*" || tags.some((tag) => tag.value === version);
}

function unreadable(name: string): HttpError {
  return new HttpError("EINVAL", `${name} is not a list of entity tags`, {
    hint: `Send the ETag of an earlier answer with its double quotes, at most ${LIMITS.tags} of them, or *.`,
  });
}
