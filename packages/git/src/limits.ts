/** Limits on memory and on untrusted input. Reaching a limit is an error that names it. */

export interface GitLimits {
  /** Bytes the engine holds at once: caches, windows, buffers. Everything that grows with the repository counts. */
  memory: number;
  /** A larger blob is streamed, never held; a delta with a larger base is refused where it cannot be streamed. */
  wholeObject: number;
  /** Commits, trees and tags are held whole, so their size is limited. */
  metadataObject: number;
  /** Links of a delta chain, of symbolic refs, of nested includes, of nested tags. */
  deltaDepth: number;
  symrefDepth: number;
  includeDepth: number;
  tagDepth: number;
  /** Nested directories of a tree. */
  treeDepth: number;
  /** Entries of all trees that one walk opens: a dozen small trees that name each other can expand to ten billion files. */
  treeEntries: number;
  /** Bytes of files that one update of the work tree writes because many paths name the same blob. */
  repeatedBytes: number;
  /**
   * Total bytes of the objects of a pack: a fixed part, and a factor for each byte of the pack. A few thousand bytes of deltas
   * can expand to 2^60.
   */
  resolvedBytes: number;
  resolvedBytesPerPackByte: number;
  /** A pkt-line is at most 65 520 bytes by the protocol; this limits a server's whole advertisement. */
  advertisedRefs: number;
  /** What a remote may send before the pack begins, and in progress text. */
  sidebandText: number;
  /** Idle timeout of a server, in milliseconds. */
  idleTimeoutMs: number;
}

export const defaultGitLimits: GitLimits = {
  memory: 48 * 1024 * 1024,
  wholeObject: 16 * 1024 * 1024,
  metadataObject: 16 * 1024 * 1024,
  deltaDepth: 4096,
  symrefDepth: 5,
  includeDepth: 10,
  tagDepth: 100,
  treeDepth: 2048,
  treeEntries: 400_000,
  repeatedBytes: 1024 * 1024 * 1024,
  resolvedBytes: 256 * 1024 * 1024,
  resolvedBytesPerPackByte: 4096,
  advertisedRefs: 1_000_000,
  sidebandText: 8 * 1024 * 1024,
  idleTimeoutMs: 5 * 60 * 1000,
};
