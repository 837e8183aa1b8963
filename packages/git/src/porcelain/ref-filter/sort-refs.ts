/** `--sort`: by fields, the last one given first; names break ties. */
import { compareText } from "../../text/bytes.ts";
import type { Atom } from "./atom.ts";
import { type AtomContext, atomValue } from "./atoms.ts";
import { parseAtom } from "./parse-atom.ts";
import type { RefItem } from "./ref-object.ts";
import { compareVersions } from "./version-compare.ts";

interface SortKey {
  readonly atom: Atom;
  readonly reversed: boolean;
  readonly version: boolean;
}

function parseSortKey(text: string): SortKey {
  const reversed = text.startsWith("-");
  const plain = reversed ? text.slice(1) : text;
  const version = /^(version|v):/.exec(plain)?.[0];
  return { atom: parseAtom(version ? plain.slice(version.length) : plain), reversed, version: version !== undefined };
}

export async function sortRefs<Item extends RefItem>(
  context: AtomContext,
  refs: readonly Item[],
  keys: readonly string[],
  { ignoreCase = false }: { ignoreCase?: boolean } = {},
): Promise<Item[]> {
  const parsed = keys.map(parseSortKey).reverse();
  const { config } = context.repo;
  const suffixes = [...config.getAll("versionsort.suffix")];
  if (suffixes.length === 0) suffixes.push(...config.getAll("versionsort.prereleasesuffix"));
  const rows: { ref: Item; values: { text: string; number?: number }[] }[] = [];
  for (const ref of refs) {
    const values = [];
    for (const { atom } of parsed) values.push(await atomValue(context, ref, atom));
    rows.push({ ref, values });
  }
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  rows.sort((a, b) => {
    for (const [i, { reversed, version }] of parsed.entries()) {
      const [x, y] = [a.values[i] as (typeof a.values)[number], b.values[i] as (typeof b.values)[number]];
      let order: number;
      if (version) order = compareVersions(x.text, y.text, suffixes);
      else if (x.number !== undefined && y.number !== undefined) order = x.number - y.number;
      else order = compareText(fold(x.text), fold(y.text));
      if (order !== 0) return reversed ? -order : order;
    }
    return compareText(fold(a.ref.name), fold(b.ref.name)) || compareText(a.ref.name, b.ref.name);
  });
  return rows.map(({ ref }) => ref);
}
