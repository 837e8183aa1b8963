/** Random access to a file's bytes for the inflater: contiguous in memory, at least a kilobyte unless the file ends. */
export interface ByteSource {
  readonly size: number;
  /** Contiguous bytes from `position` on; null: not in memory. Valid until the next `await`. */
  peek(position: number): Uint8Array | null;
  /** As `peek`, but reads if needed; empty at the end of the file. */
  at(position: number): Promise<Uint8Array>;
}

/** Minimum number of bytes returned. */
export const MIN_SPAN = 1024;
