/** The parts of a commit's message: the subject is the first paragraph on one line, the body is the rest. */

const BLANK = /^[ \t\n\v\f\r]*$/;

export interface MessageParts {
  /** Lines of the first paragraph, without spaces at their ends. */
  readonly title: readonly string[];
  readonly body: string;
}

export function splitMessage(message: string): MessageParts {
  const start = skipBlankLines(message, 0);
  const title: string[] = [];
  let at = start;
  while (at < message.length) {
    const end = lineEnd(message, at);
    const line = message.slice(at, end).trimEnd();
    at = end;
    if (line === "") break;
    title.push(line);
  }
  return { title, body: message.slice(skipBlankLines(message, at)) };
}

/** `%s`: the subject on one line. */
export function commitSubject(message: string): string {
  return splitMessage(message).title.join(" ");
}

/** `%f`: the subject's first line as a file name. */
export function sanitizedSubject(message: string): string {
  const words = (splitMessage(message).title[0] ?? "")
    .replace(/\.{2,}/g, () => ".")
    .split(/[^A-Za-z0-9._]+/)
    .filter((word) => word !== "");
  return words.join("-").replace(/(?<![.-])[.-]+$/, () => "");
}

export function skipBlankLines(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const end = lineEnd(text, at);
    if (!BLANK.test(text.slice(at, end))) return at;
    at = end;
  }
  return text.length;
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}
