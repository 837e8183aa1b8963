/** The options of an open file's methods. */
import type { OptionTable } from "./option-table.ts";

export const handleReadOptions = {
  /** In bytes of the buffer, default 0. */
  offset: "number",
  /** Default: the rest of the buffer. */
  length: "number",
  /** Position in the file; -1 or none: the handle's position, which then advances. */
  position: "position",
} as const satisfies OptionTable;

export const handleFileOptions = { encoding: "encoding", signal: "signal" } as const satisfies OptionTable;

export const readLinesOptions = {
  encoding: "utf8",
  /** First and last byte; without `start`, from the handle's position. */
  start: "count",
  end: "count",
  /** Bytes read at a time. */
  highWaterMark: "positive",
  /** Close the handle at the end; default true, as Node. */
  autoClose: "flag",
  signal: "signal",
} as const satisfies OptionTable;

export const webStreamOptions = { autoClose: "flag" } as const satisfies OptionTable;
