/** `realpath`: resolves a path with its links; the last part need not exist. */
import type { FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

export function realpathCommand(files: FileSystem): RunCommand {
  return async (args, { cwd }) => {
    const relative = args.findLast((word) => word.startsWith("--relative-to="))?.slice("--relative-to=".length);
    const flags = args.filter((word) => /^-./.test(word) && !word.startsWith("--relative-to="));
    const odd = flags.find(
      (word) => !/^(-[emsqzLP]+|--canonicalize-(existing|missing)|--no-symlinks|--strip|--)$/.test(word),
    );
    if (odd !== undefined) return textResult("", `realpath: unrecognized option '${odd}'\n`, 1);
    const words = args.filter((word) => !/^-./.test(word));
    if (words.length === 0) return textResult("", "realpath: missing operand\n", 1);
    const has = (letter: string, long: string) =>
      flags.some((word) => word === long || (/^-\w+$/.test(word) && word.includes(letter)));
    const [missing, existing] = [has("m", "--canonicalize-missing"), has("e", "--canonicalize-existing")];
    const text = has("s", "--no-symlinks") || has("s", "--strip");
    const find = (word: string) =>
      text ? Promise.resolve(plain(absolutePath(cwd, word))) : real(files, absolutePath(cwd, word), missing, existing);
    const base = relative === undefined ? null : await find(relative);
    let [stdout, stderr] = ["", ""];
    for (const word of words) {
      const path = await find(word);
      if (path === null) stderr += `realpath: ${word}: No such file or directory\n`;
      else stdout += `${base === null ? path : from(base, path)}${has("z", "--zero") ? "\0" : "\n"}`;
    }
    return textResult(stdout, stderr, stderr === "" ? 0 : 1);
  };
}

async function real(files: FileSystem, path: string, missing: boolean, existing: boolean): Promise<string | null> {
  const found = await files.realpath(path).catch(() => null);
  if (found !== null || existing) return found;
  const parts = path.split("/").filter((part) => part !== "");
  const last = parts.pop();
  if (last === undefined || last === "..") return missing ? plain(path) : null;
  const above = `/${parts.join("/")}`;
  const place = missing ? await real(files, above, true, false) : await files.realpath(above).catch(() => null);
  return place === null ? null : plain(`${place}/${last}`);
}

/** By text only. */
function plain(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function from(base: string, path: string): string {
  const [a, b] = [base, path].map((one) => one.split("/").filter((part) => part !== "")) as [string[], string[]];
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common++;
  return [...a.slice(common).map(() => ".."), ...b.slice(common)].join("/") || ".";
}
