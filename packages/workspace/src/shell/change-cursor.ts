/** The changes of one command, from the workspace's log: by its call id, since it began. */
import type { ChangeCursor } from "@workspace/shell";
import { type Change, createFileSystem, FsError, type WriteView } from "@workspace/vfs";

export function createChangeCursor(volume: WriteView): ChangeCursor {
  const now = () => {
    volume.ensureOpen();
    return volume.revisions.format(volume.revisions.head);
  };
  return {
    now,
    async paths(since, callId, limit) {
      if (since === now()) return [];
      const fs = createFileSystem(volume);
      const found = new Changed();
      try {
        for (let cursor = since, more = true; more && found.size < limit; ) {
          const page = await fs.changes({ since: cursor });
          for (const change of page.changes) {
            if (namesCall(change.callId, callId)) found.add(change);
          }
          ({ cursor, more } = page);
        }
      } catch (error) {
        if (error instanceof FsError && error.code === "EGONE") return null;
        throw error;
      }
      return found.paths.sort().slice(0, limit);
    },
  };
}

/** Without what was created and removed again: a lock, a temporary file. */
class Changed {
  /** Path → whether it existed before. */
  readonly #before = new Map<string, boolean>();
  readonly #gone = new Set<string>();

  get size(): number {
    return this.#before.size;
  }

  get paths(): string[] {
    return [...this.#before].filter(([path, before]) => before || !this.#gone.has(path)).map(([path]) => path);
  }

  add({ op, path, from }: Change): void {
    if (from !== undefined) this.#note(from, true, true);
    this.#note(path, op !== "create" && op !== "link" && op !== "rename", op === "remove");
  }

  #note(path: string, before: boolean, gone: boolean): void {
    if (!this.#before.has(path)) this.#before.set(path, before);
    if (gone) this.#gone.add(path);
    else this.#gone.delete(path);
  }
}

/** Changes pulled for several commands at once name all of them. */
function namesCall(named: string | undefined, callId: string): boolean {
  return named === callId || (named?.split(",").includes(callId) ?? false);
}
