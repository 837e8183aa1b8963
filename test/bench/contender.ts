/**
 * The interface between a row and a contender: each contender implements these verbs in its own best documented way.
 * A verb it does not have is absent, and participants.ts gives the reason, row by row.
 */
export interface TextFile {
  path: string;
  text: string;
  /** Bytes of `text` as UTF-8. */
  bytes: number;
}

export interface GrepRequest {
  pattern: string;
  /** Else plain text. */
  regex: boolean;
  /** Only how many lines, where a contender can say so without giving them. */
  count?: boolean;
}

/** What a contender does about the past of a directory; `moment` is what `take` gave. */
export interface PastSubject {
  take(directory: string): Promise<string>;
  restore(moment: string, directory: string): Promise<void>;
  /** A change that `undo` can find by itself, where it can. */
  edit(path: string, text: string): Promise<void>;
  /** Takes the last change at or under a path back. */
  undo(moment: string, path: string): Promise<void>;
  read(moment: string, path: string): Promise<string>;
}

export interface FsSubject {
  /** Writing a file makes the directories above it, so making them first would only be extra work. */
  readonly makesParents: boolean;
  makeDirectories(path: string): Promise<void>;
  writeText(path: string, text: string): Promise<void>;
  readText(path: string): Promise<string>;
  /** A full stat; returns the size. */
  stat(path: string): Promise<number>;
  /** Names with their types; returns how many. */
  list(path: string): Promise<number>;
  /** Paths under a directory that match a glob; returns how many. */
  find?(directory: string, pattern: string): Promise<number>;
  /** As `find`, for a contender with a cheaper way to get only paths. */
  glob?(directory: string, pattern: string): Promise<number>;
  /** Lines under a directory that match; returns how many. */
  grep?(directory: string, request: GrepRequest): Promise<number>;
  /** For a contender that builds an index or a cache at the first search: resolves when it is built. */
  settle?(directory: string): Promise<void>;
  /** A git command; returns what it prints, and throws when it fails. */
  git?(argv: readonly string[], cwd: string): Promise<string>;
  /** A shell command; returns what it prints. */
  exec?(script: string, cwd: string): Promise<string>;
  past?: PastSubject;
  /** An agent tool, or the call that it stands on; throws when it fails. */
  tool?(name: string, input: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Of every tool it has. */
  toolNames?(): Promise<readonly string[]>;
  /** Leads to the state that so many calls of a tool start from. */
  prepareTool?(name: string, calls: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  removeTree(path: string): Promise<void>;
  /** One call for many files, parents included. */
  writeMany?(files: readonly TextFile[]): Promise<void>;
  writeStream?(path: string, content: ReadableStream<Uint8Array>): Promise<void>;
  /** Frees what `removeTree` left for later. */
  collect?(): Promise<void>;
  readStream?(path: string): Promise<AsyncIterable<Uint8Array>>;
}

export interface Contender {
  readonly id: string;
  /** One statement per `sql.exec`, or the counter refuses it. */
  readonly singleStatements?: boolean;
  /** Ready to work: the schema exists when the promise is fulfilled. */
  start(storage: DurableObjectStorage): Promise<FsSubject>;
}
