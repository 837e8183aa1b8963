/** Rejects two flags that each select what the command does. The error names the later one first. */
import { GitError } from "../../errors.ts";

/** `modes`: keyed by the flag's name in the table, without dashes. */
export function requireExclusive(
  modes: Readonly<Record<string, string>>,
  order: readonly { readonly name: string; readonly value: string | boolean }[],
): void {
  let first: string | null = null;
  for (const { name, value } of order) {
    const mode = modes[name];
    if (mode === undefined || value !== true) continue;
    if (first !== null && first !== mode)
      throw new GitError("EUSAGE", `option \`${mode}' is incompatible with --${first}`);
    first = mode;
  }
}
