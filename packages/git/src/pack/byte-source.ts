/** A file's bytes from anywhere in it, as the inflater wants them: together in memory, a kilobyte at least unless the file ends. */
export interface ByteSource {
  readonly size: number;
  /** From `position` on, as far as they lie together; null: not in memory. To be used before the next `await`. */
  peek(position: number): Uint8Array | null;
  /** As `peek`, read when need be; at the end of the file nothing. */
  at(position: number): Promise<Uint8Array>;
}

/** What is given at least. */
export const MIN_SPAN = 1024;
