/** `mktemp`: -d, -p DIR, -t, -u and a template, as in GNU. */
import type { FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { textResult } from "./output.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function mktempCommand(files: FileSystem): RunCommand {
  return async (argv, { cwd, env }) => {
    const flags = { directory: false, dry: false, under: null as string | null };
    let template: string | null = null;
    for (let i = 0; i < argv.length; i++) {
      const word = argv[i] as string;
      if (word === "-d" || word === "--directory") flags.directory = true;
      else if (word === "-u" || word === "--dry-run") flags.dry = true;
      else if (word === "-q" || word === "--quiet") continue;
      else if (word === "-t") flags.under ??= env.get("TMPDIR") ?? "/tmp";
      else if (word === "-p") flags.under = argv[++i] ?? "";
      else if (word.startsWith("--tmpdir")) flags.under = word.slice(9) || (env.get("TMPDIR") ?? "/tmp");
      else if (word.startsWith("-") && word !== "-")
        return textResult("", `mktemp: unrecognized option '${word}'\n`, 1);
      else if (template === null) template = word;
      else return textResult("", "mktemp: too many templates\n", 1);
    }
    if (template === null) {
      template = "tmp.XXXXXXXXXX";
      flags.under ??= env.get("TMPDIR") ?? "/tmp";
    }
    const marks = /X{3,}(?=[^X/]*$)/.exec(template);
    if (marks === null) return textResult("", `mktemp: too few X's in template '${template}'\n`, 1);
    const name = template.replace(/X{3,}(?=[^X/]*$)/, (found) => randomLetters(found.length));
    const shown = flags.under === null ? name : `${flags.under.replace(/(?<!\/)\/+$/, "")}/${name}`;
    const path = shown.startsWith("/") ? shown : `${cwd}/${shown}`;
    if (path.startsWith("/tmp/")) await files.mkdir("/tmp", { recursive: true });
    try {
      if (!flags.dry && flags.directory) await files.mkdir(path, 0o700);
      if (!flags.dry && !flags.directory) await files.writeFile(path, "", { flag: "wx", mode: 0o600 });
    } catch {
      const what = flags.directory ? "directory" : "file";
      return textResult(
        "",
        `mktemp: failed to create ${what} via template '${template}': No such file or directory\n`,
        1,
      );
    }
    return textResult(`${shown}\n`, "", 0);
  };
}

function randomLetters(count: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => LETTERS[byte % LETTERS.length]).join("");
}
