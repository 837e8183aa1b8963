/** `%(objectname) %(objecttype) …` of `cat-file --batch`. */
import { GitError } from "../../../errors.ts";
import type { Oid } from "../../../object/oid.ts";
import { ZERO_OID } from "../../../object/oid.ts";
import { type DiskUsage, diskUsage } from "../../../odb/disk-usage.ts";
import type { ObjectHeader } from "../../../odb/object-database.ts";
import type { Repository } from "../../../repository.ts";

const ATOMS = ["objectname", "objecttype", "objectsize", "objectsize:disk", "deltabase", "rest"] as const;

export type Atom = (typeof ATOMS)[number];

/** Text and atoms in order. */
export type BatchFormat = readonly (string | { readonly atom: Atom })[];

export const DEFAULT_FORMAT = "%(objectname) %(objecttype) %(objectsize)";

export function parseBatchFormat(text: string): BatchFormat {
  const parts: (string | { atom: Atom })[] = [];
  let at = 0;
  while (at < text.length) {
    const percent = text.indexOf("%", at);
    if (percent < 0) break;
    parts.push(text.slice(at, percent));
    at = percent + 1;
    if (text[at] === "%") {
      parts.push("%");
      at++;
    } else if (text[at] === "(") {
      const close = text.indexOf(")", at);
      if (close < 0) throw new GitError("EINVAL", `format element '${text.slice(at)}' does not end in ')'`);
      const atom = text.slice(at + 1, close);
      if (!(ATOMS as readonly string[]).includes(atom)) throw new GitError("EINVAL", `unknown format element: ${atom}`);
      parts.push({ atom: atom as Atom });
      at = close + 1;
    } else parts.push("%");
  }
  parts.push(text.slice(at));
  return parts;
}

export function usesAtom(format: BatchFormat, wanted: Atom): boolean {
  return format.some((part) => typeof part !== "string" && part.atom === wanted);
}

export async function expandBatchFormat(
  repo: Repository,
  format: BatchFormat,
  oid: Oid,
  { type, size }: ObjectHeader,
  rest: string,
): Promise<string> {
  let position: DiskUsage | undefined;
  if (usesAtom(format, "objectsize:disk") || usesAtom(format, "deltabase")) position = await diskUsage(repo.odb, oid);
  const values: Record<Atom, string> = {
    objectname: oid,
    objecttype: type,
    objectsize: String(size),
    "objectsize:disk": String(position?.bytes ?? 0),
    deltabase: position?.base ?? ZERO_OID,
    rest,
  };
  return format.map((part) => (typeof part === "string" ? part : values[part.atom])).join("");
}
