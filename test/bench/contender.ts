/**
 * The narrow waist between "what to do" and "who does it": each contender does these verbs in its own best documented way.
 * A verb it does not have is absent, and the roster says why, row by row.
 */
export interface TextFile {
  path: string;
  text: string;
  /** Bytes of `text` as UTF-8. */
  bytes: number;
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
