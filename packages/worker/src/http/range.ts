/**
 * `Range: bytes=…` (RFC 9110, section 14). One range is served. Several ranges, another unit and bad syntax are ignored, as the
 * standard allows: the response is the whole file.
 */
export interface Span {
  /** First and last byte, both inclusive. */
  start: number;
  end: number;
}

/** The span to serve; null for the whole; "unsatisfiable" when no byte of the range exists. */
export function parseRange(header: string | null | undefined, size: number): Span | null | "unsatisfiable" {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "");
  if (match === null) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "") return suffix(Number(last), size);
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= size ? "unsatisfiable" : { start, end };
}

export function contentRange(span: Span | "unsatisfiable", size: number): string {
  return span === "unsatisfiable" ? `bytes */${size}` : `bytes ${span.start}-${span.end}/${size}`;
}

function suffix(length: number, size: number): Span | "unsatisfiable" {
  if (length === 0 || size === 0) return "unsatisfiable";
  return { start: Math.max(0, size - length), end: size - 1 };
}
