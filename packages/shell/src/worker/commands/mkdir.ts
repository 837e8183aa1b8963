/** `mkdir -m`: sets the mode of the created directory; the rest is just-bash's own. */
import type { FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

export function mkdirCommand(files: FileSystem): RunCommand {
  return async (args, { cwd, origCommand }) => {
    const at = args.findIndex((word) => /^-[pv]*m/.test(word) || word.startsWith("--mode="));
    if (at < 0) return origCommand!(args);
    const flag = args[at] as string;
    const joined = flag.startsWith("--") ? flag.slice("--mode=".length) : flag.replace(/^-[pv]*m/, () => "");
    const value = joined === "" ? args[at + 1] : joined;
    if (value === undefined || !/^[0-7]{1,4}$/.test(value))
      return textResult("", `mkdir: invalid mode '${value ?? ""}': give it in octal\n`, 1);
    const others = flag.startsWith("--") ? "" : flag.slice(1, flag.indexOf("m"));
    const rest = args.filter((_, i) => i !== at && (joined !== "" || i !== at + 1));
    const words = rest.filter((word) => !word.startsWith("-"));
    const missing: string[] = [];
    for (const word of words) if (!(await files.exists(absolutePath(cwd, word)))) missing.push(word);
    const result = await origCommand!([...(others === "" ? [] : [`-${others}`]), ...rest]);
    for (const word of missing) {
      const path = absolutePath(cwd, word);
      if (await files.exists(path)) await files.chmod(path, Number.parseInt(value, 8));
    }
    return result;
  };
}
