/** Prints a tree for `cat-file -p`, in the format of `ls-tree`. */
import type { GitConfig } from "../../../config/git-config.ts";
import { typeOfMode } from "../../../object/file-mode.ts";
import { parseTree } from "../../../object/tree.ts";
import { quotePath, quotesFully } from "../../../text/quote-path.ts";

export function listTree(body: Uint8Array, config: GitConfig): string {
  const full = quotesFully(config);
  return parseTree(body)
    .map(({ mode, name, oid }) => {
      const digits = mode.toString(8).padStart(6, "0");
      return `${digits} ${typeOfMode(mode)} ${oid}\t${quotePath(name, { full })}\n`;
    })
    .join("");
}
