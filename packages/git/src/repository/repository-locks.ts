/**
 * The lock of a repository, a mutex in memory: its commands run one at a time. Without it, concurrent commands would fail on git's
 * lock files.
 */

/** The last holder of each repository's lock, by git directory; shared by all engines on the same files. */
export type RepositoryLocks = Map<string, Promise<void>>;

interface RepositoryLock {
  /** Releases the lock while something runs that may need it, and acquires it again afterwards. */
  releaseWhile<T>(work: () => Promise<T>): Promise<T>;
}

/** `key` is the git directory, or where the search for one starts. */
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
