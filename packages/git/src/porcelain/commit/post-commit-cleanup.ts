/** Removes `.git/sequencer` after the last pick of a sequence is committed or discarded by hand: nothing is left to continue. */

import type { Repository } from "../../repository.ts";
import { decode } from "../../text/bytes.ts";

/** `state`: the state files of the operation that ends. */
export async function postCommitCleanup(
  { fs, gitDir }: Pick<Repository, "fs" | "gitDir">,
  state: { has(name: string): boolean },
): Promise<void> {
  if (!state.has("CHERRY_PICK_HEAD") && !state.has("REVERT_HEAD")) return;
  const [todo] = await fs.readMany([`${gitDir}/sequencer/todo`]);
  if (todo && /^[^\n]*\n?$/.test(decode(todo))) await fs.rm(`${gitDir}/sequencer`, { recursive: true, force: true });
}
