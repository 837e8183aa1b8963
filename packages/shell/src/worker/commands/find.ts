/**
 * Adds to just-bash's `find`: `-quit` after a print, and `-delete` of directories that become empty. If another action precedes
 * `-quit`, its effects on the other entries could not be undone: that needs the container.
 */
import type { BashCommand } from "../../../vendor/just-bash.js";
import type { RunCommand } from "../commands.ts";
import { textResult } from "./output.ts";

type Find = NonNullable<Parameters<BashCommand["execute"]>[1]["origCommand"]>;

const ACTIONS = ["-print", "-print0", "-printf", "-exec", "-execdir", "-ok", "-delete", "-ls", "-fprint"];
const ELSEWHERE = "the Worker's shell does not have it; it needs a container";
/** Maximum nesting of directories. */
const ROUNDS = 500;

export const findCommand: RunCommand = async (args, { origCommand }) => {
  const words = args.map((word) => (word === "-wholename" ? "-path" : word === "-iwholename" ? "-ipath" : word));
  if (words.includes("-quit")) return quitting(words, origCommand!);
  if (words.includes("-delete") && words.includes("-empty")) return deletingEmpty(words, origCommand!);
  return origCommand!(words);
};

async function quitting(words: readonly string[], find: Find) {
  const at = words.indexOf("-quit");
  const before = words.slice(0, at);
  const actions = before.filter((word) => ACTIONS.includes(word));
  const last = before.at(-1);
  if (at < words.length - 1 || actions.length > 1 || (actions.length === 1 && last !== "-print" && last !== "-print0"))
    return textResult("", `find: -quit behind anything but a test or a print: ${ELSEWHERE}\n`, 1);
  const found = await find(before);
  if (actions.length === 0) return textResult("", found.stderr, found.exitCode);
  const end = found.stdout.indexOf(last === "-print0" ? "\0" : "\n");
  return textResult(found.stdout.slice(0, end + 1), found.stderr, found.exitCode);
}

async function deletingEmpty(words: readonly string[], find: Find) {
  const looking = words.map((word) => (word === "-delete" ? "-print" : word));
  let done = await find([...words]);
  for (let round = 0; round < ROUNDS && done.exitCode === 0; round++) {
    if ((await find(looking)).stdout === "") return done;
    const next = await find([...words]);
    done = textResult(done.stdout + next.stdout, next.stderr, next.exitCode);
  }
  return done;
}
