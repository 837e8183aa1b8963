/** Bytes that can be read in any order: a zip is read from its end. */
export interface RandomAccess {
  readonly size: number;
  /** Exactly `length` bytes. */
  read(start: number, length: number): Promise<Uint8Array>;
}
