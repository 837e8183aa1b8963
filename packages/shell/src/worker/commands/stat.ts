/** `stat`, with GNU's formats. */
import type { FileStat, FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { errnoMessage } from "./errno-message.ts";
import { parseFlags } from "./flags.ts";
import { modeText } from "./ls-long.ts";
import { textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

const WHOLE = `  File: %N
  Size: %s\t\tBlocks: %b          IO Block: 4096   %F
Device: 0,0\tInode: %i  Links: %h
Access: (0%a/%A)  Uid: (    0/workspace)   Gid: (    0/workspace)
Access: %x
Modify: %y
Change: %z
 Birth: %w`;

export function statCommand(files: FileSystem): RunCommand {
  return async (args, { cwd }) => {
    const flags = parseFlags(args, {
      plain: "Lt",
      valued: "c",
      long: { "--format": "c", "--printf": "c", "--dereference": "L" },
    });
    if (typeof flags === "string") return textResult("", `stat: ${flags}\n`, 1);
    if (flags.words.length === 0) return textResult("", "stat: missing operand\n", 1);
    const format = flags.values.get("c") ?? WHOLE;
    const raw = args.some((word) => word.startsWith("--printf"));
    let [stdout, stderr] = ["", ""];
    for (const word of flags.words) {
      const path = absolutePath(cwd, word);
      try {
        const stat = await (flags.has.has("L") ? files.stat(path) : files.lstat(path));
        const target = stat.isSymbolicLink() ? await files.readlink(path) : null;
        stdout += raw ? unescaped(filled(format, word, stat, target)) : `${filled(format, word, stat, target)}\n`;
      } catch (error) {
        stderr += `stat: cannot statx '${word}': ${errnoMessage(error)}\n`;
      }
    }
    return textResult(stdout, stderr, stderr === "" ? 0 : 1);
  };
}

function filled(format: string, name: string, stat: FileStat, target: string | null): string {
  const [type, bits] = [stat.mode & 0o170000, stat.mode & 0o7777];
  const seconds = (ms: number) => String(Math.floor(ms / 1000));
  const fields: Readonly<Record<string, string>> = {
    n: name,
    N: target === null ? `'${name}'` : `'${name}' -> '${target}'`,
    s: String(stat.size),
    a: bits.toString(8),
    A: modeText(stat),
    f: (type | bits).toString(16),
    F:
      target !== null
        ? "symbolic link"
        : stat.isDirectory()
          ? "directory"
          : stat.size === 0
            ? "regular empty file"
            : "regular file",
    i: String(stat.ino),
    h: String(stat.nlink),
    u: String(stat.uid),
    g: String(stat.gid),
    U: "workspace",
    G: "workspace",
    b: String(Math.ceil(stat.size / 512)),
    B: "512",
    o: "4096",
    x: timeText(stat.atimeMs),
    y: timeText(stat.mtimeMs),
    z: timeText(stat.ctimeMs),
    w: timeText(stat.birthtimeMs),
    X: seconds(stat.atimeMs),
    Y: seconds(stat.mtimeMs),
    Z: seconds(stat.ctimeMs),
    W: seconds(stat.birthtimeMs),
    "%": "%",
  };
  return format.replace(
    /%(\d*)(.)/g,
    (whole, width: string, letter: string) => fields[letter]?.padStart(Number(width)) ?? whole,
  );
}

function timeText(ms: number): string {
  const [date, time] = new Date(ms).toISOString().split("T") as [string, string];
  const nanos = String(Math.round((ms % 1000) * 1_000_000)).padStart(9, "0");
  return `${date} ${time.slice(0, 8)}.${nanos} +0000`;
}

function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = { n: "\n", t: "\t", "\\": "\\" };
  return text.replace(/\\(.)/g, (whole, letter: string) => named[letter] ?? whole);
}
