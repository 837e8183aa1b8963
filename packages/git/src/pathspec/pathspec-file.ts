/**
 * Reads `--pathspec-from-file`: one pathspec per line, which may be quoted as git does; with `--pathspec-file-nul`, unquoted and
 * terminated by NUL.
 */

import { GitError } from "../errors.ts";
import { decode } from "../text/bytes.ts";
import { unquotePath } from "../text/quote-path.ts";

export function parsePathspecFile(content: Uint8Array, nul: boolean): string[] {
  const text = decode(content);
  if (nul) return text.split("\0").filter((line, i, all) => i < all.length - 1 || line !== "");
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => {
    const plain = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (!plain.startsWith('"')) return plain;
    const quoted = unquotePath(plain);
    if (quoted === null || quoted.end !== plain.length) throw new GitError("EINVAL", `line is badly quoted: ${plain}`);
    return quoted.value;
  });
}
