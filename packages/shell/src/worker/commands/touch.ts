/** `touch -t`, `-r` and `-d @seconds`: computes their time; the rest is just-bash's own. */
import type { FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { errnoMessage } from "./errno-message.ts";
import { textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

export function touchCommand(files: FileSystem): RunCommand {
  return async (given, { cwd, origCommand }) => {
    const args = given.map((word, i) =>
      /^@-?\d+$/.test(word) && /^(-[acm]*d|--date)$/.test(given[i - 1] ?? "")
        ? new Date(Number(word.slice(1)) * 1000).toISOString()
        : word,
    );
    const at = args.findIndex((word) => /^-[acm]*[tr]$/.test(word) || word.startsWith("--reference="));
    if (at < 0) return origCommand!(args);
    const flag = args[at] as string;
    const isLong = flag.startsWith("--");
    const value = isLong ? flag.slice("--reference=".length) : args[at + 1];
    if (value === undefined) return textResult("", `touch: option requires an argument -- '${flag.at(-1)}'\n`, 1);
    const rest = args.filter((_, i) => i !== at && (isLong || i !== at + 1));
    const others = flag.slice(1, -1);
    try {
      const time =
        flag.endsWith("t") && !isLong ? parseStamp(value) : (await files.stat(absolutePath(cwd, value))).mtimeMs;
      if (time === null) return textResult("", `touch: invalid date format '${value}'\n`, 1);
      const flags = isLong || others === "" ? [] : [`-${others}`];
      return origCommand!([...flags, "-d", new Date(time).toISOString(), ...rest]);
    } catch (error) {
      return textResult("", `touch: failed to get attributes of '${value}': ${errnoMessage(error)}\n`, 1);
    }
  };
}

/** `[[CC]YY]MMDDhhmm[.ss]`, in UTC. */
function parseStamp(text: string): number | null {
  const found = /^(\d\d)?(\d\d)?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?$/.exec(text);
  if (found === null) return null;
  const [, first, second, month, day, hour, minute, seconds = "0"] = found;
  const short = second === undefined ? first : undefined;
  const year =
    first === undefined
      ? new Date().getUTCFullYear()
      : short === undefined
        ? Number(`${first}${second}`)
        : Number(short) + (Number(short) < 69 ? 2000 : 1900);
  const time = Date.UTC(year, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(seconds));
  return Number.isNaN(time) ? null : time;
}
