/** `sed -i.bak`: makes the backup copy, then runs just-bash's own. */
import type { FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { absolutePath } from "./paths.ts";

export function sedCommand(files: FileSystem): RunCommand {
  return async (args, { cwd, origCommand }) => {
    const at = args.findIndex((word) => /^(-i.+|--in-place=.+)$/.test(word));
    if (at < 0) return origCommand!(args);
    const suffix = (args[at] as string).replace(/^(-i|--in-place=)/, "");
    const rest = args.filter((_, i) => i !== at);
    const hasScript = rest.some((word) => /^(-e|-f|--expression|--file)/.test(word));
    const operands = rest.filter((word, i) => !word.startsWith("-") && !/^-[ef]$/.test(rest[i - 1] ?? ""));
    for (const word of operands.slice(hasScript ? 0 : 1)) {
      const path = absolutePath(cwd, word);
      if (await files.exists(path)) await files.copyFile(path, `${path}${suffix}`);
    }
    return origCommand!(["-i", ...rest]);
  };
}
