/**
 * The fields of a commit that a walk needs: tree, parents, committer time. Parsed straight from the bytes, since a walk over a
 * long history spends its time here; names and messages are parsed only for output. Commits at a shallow boundary have no
 * parents.
 */

import { GitError } from "../errors.ts";
import { type Oid, parseOid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { decode } from "../text/bytes.ts";

export interface CommitNode {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  /** The committer's time, in seconds since 1970. */
  readonly seconds: number;
}

export type CommitRepository = Pick<Repository, "fs" | "gitDir" | "commonDir" | "odb" | "shallow">;

const PARENT = [112, 97, 114, 101, 110, 116, 32]; // "parent "
const COMMITTER = [99, 111, 109, 109, 105, 116, 116, 101, 114, 32]; // "committer "

export function parseCommitNode(oid: Oid, body: Uint8Array): CommitNode {
  let at = 46;
  const tree = hexAt(body, 5);
  const parents: Oid[] = [];
  while (startsWith(body, at, PARENT)) {
    parents.push(hexAt(body, at + 7));
    at += 48;
  }
  // The author's line, then the committer's.
  at = body.indexOf(10, at) + 1;
  let seconds = 0;
  if (at > 0 && startsWith(body, at, COMMITTER)) {
    let end = body.indexOf(10, at);
    if (end < 0) end = body.length;
    let digit = Math.max(body.lastIndexOf(62, end), at) + 1;
    while (body[digit] === 32) digit++;
    for (; digit < end; digit++) {
      const value = (body[digit] as number) - 48;
      if (value < 0 || value > 9) break;
      seconds = seconds * 10 + value;
    }
  }
  return { oid, tree, parents, seconds: seconds > 2 ** 52 ? 0 : seconds };
}

function hexAt(body: Uint8Array, at: number): Oid {
  return String.fromCharCode.apply(null, body.subarray(at, at + 40) as unknown as number[]) as Oid;
}

function startsWith(body: Uint8Array, at: number, word: readonly number[]): boolean {
  for (let i = 0; i < word.length; i++) if (body[at + i] !== word[i]) return false;
  return true;
}

/** Reads each commit once. */
export interface CommitReader {
  /** Throws if it is not a commit. */
  read(oid: Oid): Promise<CommitNode>;
  /** Null: missing or not a commit. */
  find(oid: Oid): Promise<CommitNode | null>;
  /** A cached commit; null is inconclusive. */
  peek(oid: Oid): CommitNode | null;
  /** Drops one that is not needed again. */
  forget(oid: Oid): void;
  isShallow(oid: Oid): Promise<boolean>;
}

export function commitReader(repo: CommitRepository): CommitReader {
  const known = new Map<Oid, CommitNode>();
  let shallow: ReadonlySet<string> | null = null;
  const boundary = async () => (shallow ??= await readShallow(repo));
  const nodeOf = (oid: Oid, body: Uint8Array, edges: ReadonlySet<string>): CommitNode => {
    const whole = parseCommitNode(oid, body);
    const node = edges.has(oid) ? { ...whole, parents: [] } : whole;
    known.set(oid, node);
    return node;
  };
  const find = async (oid: Oid): Promise<CommitNode | null> => {
    const before = known.get(oid);
    if (before) return before;
    const object = await repo.odb.read(oid);
    return object?.type === "commit" ? nodeOf(oid, object.body, shallow ?? (await boundary())) : null;
  };
  return {
    find,
    peek(oid) {
      const before = known.get(oid);
      if (before !== undefined || shallow === null) return before ?? null;
      const object = repo.odb.peek(oid);
      return object?.type === "commit" ? nodeOf(oid, object.body, shallow) : null;
    },
    async read(oid) {
      const node = await find(oid);
      if (node) return node;
      throw new GitError("ECORRUPT", `Could not read ${oid}`, { exitCode: 128 });
    },
    forget: (oid) => void known.delete(oid),
    isShallow: async (oid) => (await boundary()).has(oid),
  };
}

/** Commits whose parents were not fetched. */
export async function readShallow(
  repo: Pick<Repository, "fs" | "gitDir" | "commonDir" | "shallow">,
): Promise<Set<Oid>> {
  if (repo.shallow !== undefined) return new Set(repo.shallow);
  const [bytes] = await repo.fs.readMany([`${repo.commonDir ?? repo.gitDir}/shallow`]);
  const oids = bytes ? decode(bytes).split("\n").map(parseOid) : [];
  return new Set(oids.filter((oid) => oid !== null));
}
