/**
 * One command at a time per repository. Two that run at once would only meet at lock files, and fail; waiting costs nothing.
 */

/** The last turn of each repository, by its git directory; shared by everyone who works on the same files. */
export type RepositoryLocks = Map<string, Promise<void>>;

export interface RepositoryLock {
  /** Lets others in while something runs that may be one of them, and takes the next turn after it. */
  releaseWhile<T>(work: () => Promise<T>): Promise<T>;
}

/** `key` is the git directory, or where one would be looked for. */
export async function withLock<T>(
  turns: RepositoryLocks,
  key: string,
  action: (turn: RepositoryLock) => Promise<T>,
): Promise<T> {
  let leave = await enter(turns, key);
  const releaseWhile: RepositoryLock["releaseWhile"] = async (work) => {
    leave();
    try {
      return await work();
    } finally {
      leave = await enter(turns, key);
    }
  };
  try {
    return await action({ releaseWhile });
  } finally {
    leave();
  }
}

async function enter(turns: RepositoryLocks, key: string): Promise<() => void> {
  const before = turns.get(key);
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  turns.set(key, promise);
  await before;
  return () => {
    resolve();
    if (turns.get(key) === promise) turns.delete(key);
  };
}
