/** Names in an archive are hostile: the whole archive is refused if a name would land outside the target, or a link leads out of it. */
import { type ArchiveError, invalidArchive } from "./archive-error.ts";

/** Of a name or a link target, in UTF-16 units: longer ones are not workspace paths. */
const MAX_LENGTH = 4096;

/** The name with dots and doubled slashes folded; "" for the archive's own root. */
export function entryName(raw: string): string {
  if (raw.length > MAX_LENGTH) throw invalidArchive(`the name ${quoted(raw)}… is too long`);
  if (raw.startsWith("/")) throw leadsOut(raw);
  if (/[\0\\]/.test(raw)) throw invalidArchive(`the name ${quoted(raw)} holds a backslash or a NUL`);
  const names = raw.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw leadsOut(raw);
  return names.join("/");
}

/** The name of an entry that is not a directory: the archive's root is one. */
export function fileName(raw: string): string {
  const name = entryName(raw);
  if (name === "") throw invalidArchive(`the entry ${quoted(raw)} replaces the directory it is unpacked into`);
  return name;
}

/** A link's target must stay below the target directory, judged by the two names. */
export function checkLink(name: string, target: string): void {
  if (target.length > MAX_LENGTH) throw invalidArchive(`the link ${quoted(name)} is too long`);
  if (target === "" || target.startsWith("/") || target.includes("\0")) throw leadsOut(target);
  let depth = name.split("/").length - 1;
  for (const part of target.split("/")) {
    if (part === "..") depth--;
    else if (part !== "" && part !== ".") depth++;
    if (depth < 0) throw leadsOut(target);
  }
}

export function leadsOut(name: string): ArchiveError {
  return invalidArchive(`${quoted(name)} leads out of it`);
}

/** A name for a message. */
export function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
