/** What the load asks of the object: a verb in a header, contents in the body. */
export type Call = { callId?: string } & (
  | { verb: "mkdir" | "rm" | "tree"; path: string }
  | { verb: "write" | "append"; path: string; streamed: boolean }
  | { verb: "truncate"; path: string; length: number }
  | { verb: "rename" | "cp"; from: string; to: string }
  | { verb: "writeMany"; files: { path: string; size: number }[] }
  | { verb: "patch"; path: string; positions: number[] }
  | { verb: "undo"; undone: string }
  | { verb: "restore"; path: string; id: string }
  | { verb: "snapshot" | "maintain" | "gc" | "fsck" }
);
