/** `umask`: a workspace records modes but does not enforce them, so there is one mask; another needs the container. */
import type { RunCommand } from "../commands.ts";
import { textResult } from "./output.ts";

const MASK = "0022";

export const umaskCommand: RunCommand = async (args) => {
  const [word, ...more] = args;
  if (word === "-S" && more.length === 0) return textResult("u=rwx,g=rx,o=rx\n", "", 0);
  if (word === undefined || word === "-p") return textResult(`${word === "-p" ? "umask " : ""}${MASK}\n`, "", 0);
  if (/^0*22$/.test(word)) return textResult("", "", 0);
  const reason = `the Worker's shell makes files with ${MASK} only; it needs a container`;
  return textResult("", `bash: umask: ${word}: ${reason}\n`, 1);
};
