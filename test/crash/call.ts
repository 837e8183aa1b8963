/** What the load asks of the object: a verb in a header, contents in the body. */
export type Call =
  | { verb: "mkdir" | "rm" | "tree"; path: string }
  | { verb: "write" | "append"; path: string; streamed: boolean }
  | { verb: "truncate"; path: string; length: number }
  | { verb: "rename" | "cp"; from: string; to: string }
  | { verb: "writeMany"; files: { path: string; size: number }[] }
  | { verb: "patch"; path: string; positions: number[] }
  | { verb: "maintain" | "gc" | "fsck" };
