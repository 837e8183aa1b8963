/** Names in a diff: quoted where needed, relative to a directory, and the two of a rename combined ("{a => b}/c"). */
import type { DiffOptions } from "../diff/diff-options.ts";
import { needsQuotes, quotedBody, quotePath } from "../text/quote-path.ts";

export function displayName(path: string, { relative, quotePath: full, nul }: DiffOptions): string {
  const name = stripped(path, relative);
  return nul ? name : quotePath(name, { full });
}

/** Without the directory of `--relative`. */
export function stripped(path: string, relative: string | null): string {
  return relative && path.startsWith(relative) ? path.slice(relative.length).replace(/^\/+/, () => "") : path;
}

/** "a/" and a name, in one pair of quotes if either needs them. */
export function prefixedName(prefix: string, name: string, { quotePath: full }: DiffOptions): string {
  if (!needsQuotes(prefix, { full }) && !needsQuotes(name, { full })) return prefix + name;
  return `"${quotedBody(prefix, { full })}${quotedBody(name, { full })}"`;
}

/** Common directories at both ends are outside the braces. */
export function renamedName(from: string, to: string, options: DiffOptions): string {
  const { quotePath: full } = options;
  const [a, b] = [stripped(from, options.relative), stripped(to, options.relative)];
  if (needsQuotes(a, { full }) || needsQuotes(b, { full })) {
    return `${quotePath(a, { full })} => ${quotePath(b, { full })}`;
  }
  let prefix = 0;
  for (let i = 0; i < a.length && i < b.length && a[i] === b[i]; i++) if (a[i] === "/") prefix = i + 1;
  // A suffix may begin with the same slash that ends the prefix.
  const limit = prefix > 0 ? prefix - 1 : 0;
  let suffix = 0;
  for (let i = 0; ; i++) {
    const [x, y] = [a.length - i, b.length - i];
    if (x < limit || y < limit || a[x] !== b[y]) break;
    if (a[x] === "/") suffix = i;
  }
  const middle = (name: string) => name.slice(prefix, Math.max(prefix, name.length - suffix));
  const displayed = `${middle(a)} => ${middle(b)}`;
  return prefix + suffix > 0 ? `${a.slice(0, prefix)}{${displayed}}${a.slice(a.length - suffix)}` : displayed;
}
