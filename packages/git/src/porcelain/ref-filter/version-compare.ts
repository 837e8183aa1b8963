/** Compares names by their numbers: "v1.10" after "v1.9", as in `--sort=version:refname`. */
import { compareText } from "../../text/bytes.ts";

/** `suffixes`: of pre-releases, in order; with "-rc", "1.0-rc1" sorts before "1.0". */
export function compareVersions(a: string, b: string, suffixes: readonly string[] = []): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  if (at === a.length && at === b.length) return 0;
  const bySuffix = suffixes.length > 0 ? compareSuffixes(a, b, at, suffixes) : null;
  if (bySuffix !== null) return bySuffix;
  let start = at;
  while (start > 0 && isDigit(a[start - 1])) start--;
  const [x, y] = [/^\d+/.exec(a.slice(start))?.[0] ?? "", /^\d+/.exec(b.slice(start))?.[0] ?? ""];
  if (x === "" || y === "") return compareText(a.slice(at), b.slice(at));
  // A leading zero makes it a fraction: "01" before "1", and digits compare from the left.
  if (x.startsWith("0") || y.startsWith("0")) {
    const zeros = (text: string) => /^0*/.exec(text)?.[0].length ?? 0;
    const difference = zeros(y) - zeros(x);
    if (difference !== 0) return difference;
    return compareText(a.slice(at), b.slice(at));
  }
  if (x.length !== y.length) return x.length - y.length;
  return compareText(a.slice(at), b.slice(at));
}

function compareSuffixes(a: string, b: string, at: number, suffixes: readonly string[]): number | null {
  const position = (text: string) => {
    let best = { order: -1, start: Number.POSITIVE_INFINITY, length: 0 };
    for (const [order, suffix] of suffixes.entries()) {
      // An empty suffix in the list is the position of names without a suffix.
      for (let start = Math.max(0, at - suffix.length); start <= at; start++) {
        if (!text.startsWith(suffix, start)) continue;
        const better = start < best.start || (start === best.start && suffix.length > best.length);
        if (better) best = { order, start, length: suffix.length };
        break;
      }
    }
    return best;
  };
  const [x, y] = [position(a), position(b)];
  if (x.order < 0 && y.order < 0) return null;
  if (x.order === y.order) return null;
  if (x.order >= 0 && y.order >= 0) return x.order - y.order;
  return x.order >= 0 ? -1 : 1;
}

function isDigit(c: string | undefined): boolean {
  return c !== undefined && c >= "0" && c <= "9";
}
