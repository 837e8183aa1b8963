/**
 * One command at a time per repository. Two that run at once would only meet at lock files, and fail; waiting costs nothing.
 */

/** The last turn of each repository, by its git directory; shared by everyone who works on the same files. */
export type GitTurns = Map<string, Promise<void>>;

/** `key` is the git directory, or where one would be looked for. */
export async function takeTurn<T>(turns: GitTurns, key: string, action: () => Promise<T>): Promise<T> {
  const turn = (turns.get(key) ?? Promise.resolve()).then(action);
  const settled = turn.then(
    () => {},
    () => {},
  );
  turns.set(key, settled);
  try {
    return await turn;
  } finally {
    if (turns.get(key) === settled) turns.delete(key);
  }
}
