/** `packed-refs`: one line a ref, "^" lines with the peeled object of an annotated tag, a header that lists guarantees. */

import { GitError } from "../errors.ts";
import { type Oid, parseOid } from "../object/oid.ts";
import { compareText } from "../text/bytes.ts";
import { isRefName, isSafeRefPath } from "./ref-name.ts";

export interface PackedRef {
  readonly name: string;
  readonly oid: Oid;
  readonly peeled?: Oid;
}

export interface PackedRefs {
  /** In byte order of names. */
  readonly refs: readonly PackedRef[];
  readonly byName: ReadonlyMap<string, PackedRef>;
  /** Every annotated tag has its "^" line, so a ref without one is not an annotated tag. */
  readonly fullyPeeled: boolean;
}

export const NO_PACKED_REFS: PackedRefs = { refs: [], byName: new Map(), fullyPeeled: true };

export function parsePackedRefs(text: string, displayPath: string): PackedRefs {
  const refs: PackedRef[] = [];
  let traits = "";
  let sorted = true;
  let at = 0;
  if (text !== "" && !text.endsWith("\n"))
    throw broken(`unterminated line in ${displayPath}: ${text.slice(text.lastIndexOf("\n") + 1)}`);
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end);
    at = end + 1;
    if (line.startsWith("#")) {
      if (line.startsWith("# pack-refs with:")) traits = `${line.slice("# pack-refs with:".length)} `;
      continue;
    }
    const last = refs.at(-1);
    if (line.startsWith("^")) {
      const peeled = parseOid(line.slice(1));
      if (!peeled || !last || last.peeled) throw broken(`unexpected line in ${displayPath}: ${line}`);
      refs[refs.length - 1] = { ...last, peeled };
      continue;
    }
    const oid = parseOid(line.slice(0, 40));
    const name = line.slice(41);
    if (!oid || line[40] !== " ") throw broken(`unexpected line in ${displayPath}: ${line}`);
    if (!isRefName(name, { oneLevel: true }) && !isSafeRefPath(name)) {
      throw broken(`packed refname is dangerous: ${name}`);
    }
    if (last && compareText(last.name, name) >= 0) sorted = false;
    refs.push({ name, oid });
  }
  if (!sorted) refs.sort((a, b) => compareText(a.name, b.name));
  return {
    refs,
    byName: new Map(refs.map((ref) => [ref.name, ref])),
    fullyPeeled: traits.includes(" fully-peeled "),
  };
}

export function formatPackedRefs(refs: readonly PackedRef[]): string {
  const lines = ["# pack-refs with: peeled fully-peeled sorted \n"];
  for (const { name, oid, peeled } of refs) lines.push(`${oid} ${name}\n`, peeled ? `^${peeled}\n` : "");
  return lines.join("");
}

function broken(message: string): GitError {
  return new GitError("ECORRUPT", message);
}
