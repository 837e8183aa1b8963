/**
 * `env`: runs a command in a changed environment, or prints the environment. Exported variables also reach the command's children.
 */
import { quoteWord } from "../../quote.ts";
import type { RunCommand } from "../commands.ts";
import { textResult } from "./output.ts";

export const envCommand: RunCommand = async (args, { cwd, stdin, signal, exec, exportedEnv }) => {
  if (args[0] === "--help")
    return textResult("Usage: env [-i] [-u NAME]... [NAME=VALUE]... [COMMAND [WORD]...]\n", "", 0);
  const variables = new Map(Object.entries(exportedEnv ?? {}));
  const removed = new Set<string>();
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] as string;
    if (word === "-i" || word === "-" || word === "--ignore-environment") {
      for (const name of variables.keys()) removed.add(name);
      variables.clear();
    } else if (word === "-u" || word.startsWith("--unset=") || /^-u./.test(word)) {
      const name = word === "-u" ? args[++at] : word.replace(/^(-u|--unset=)/, () => "");
      if (name === undefined) return textResult("", "env: option requires an argument -- 'u'\n", 125);
      variables.delete(name);
      removed.add(name);
    } else if (word === "--") {
      at++;
      break;
    } else if (word.startsWith("-")) return textResult("", `env: invalid option '${word}'\n`, 125);
    else break;
  }
  const given: [name: string, value: string][] = [];
  for (; at < args.length && (args[at] as string).includes("="); at++) {
    const [name, ...rest] = (args[at] as string).split("=");
    given.push([name as string, rest.join("=")]);
    variables.set(name as string, rest.join("="));
  }
  if (at === args.length)
    return textResult([...variables].map(([name, value]) => `${name}=${value}\n`).join(""), "", 0);
  const script = [
    ...[...removed].filter((name) => /^[A-Za-z_]\w*$/.test(name)).map((name) => `unset -v ${name}`),
    ...given.map(([name, value]) => `export ${name}=${quoteWord(value)}`),
    args.slice(at).map(quoteWord).join(" "),
  ].join("\n");
  return exec!(script, {
    cwd,
    env: exportedEnv ?? {},
    stdin: stdin as unknown as string,
    stdinKind: "bytes",
    ...(signal && { signal }),
  });
};
