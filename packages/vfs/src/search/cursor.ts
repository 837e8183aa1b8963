/** The position where a search stopped, as opaque text: the file, and how many of its hits were already returned. */
import { FsError } from "../api/errors.ts";

export interface Cursor {
  readonly path: string;
  readonly taken: number;
}

export function encodeCursor({ path, taken }: Cursor): string {
  return `${taken}:${path}`;
}

export function decodeCursor(cursor: string): Cursor {
  const match = typeof cursor === "string" ? /^(\d{1,15}):(\/.*)$/s.exec(cursor) : null;
  if (match === null) throw new FsError("EINVAL", { syscall: "grep", reason: "not a cursor of grep" });
  return { taken: Number(match[1]), path: match[2] as string };
}

export function cursorPath(cursor: string | null): string | null {
  return cursor === null ? null : decodeCursor(cursor).path;
}
