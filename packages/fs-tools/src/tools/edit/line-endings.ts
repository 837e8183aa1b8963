/** Byte-order marks and line endings: removed for matching, restored on writing. */
export type LineEnding = "\n" | "\r\n";

export function stripBom(content: string): { bom: string; text: string } {
  return content.startsWith("\uFEFF") ? { bom: "\uFEFF", text: content.slice(1) } : { bom: "", text: content };
}

export function restoreBom(text: string, bom: string): string {
  return bom + text;
}

/** The more frequent one; "\n" if there is none. */
export function detectLineEnding(content: string): LineEnding {
  let all = 0;
  let crlf = 0;
  for (let at = content.indexOf("\n"); at >= 0; at = content.indexOf("\n", at + 1)) {
    all++;
    if (content[at - 1] === "\r") crlf++;
  }
  return crlf * 2 > all ? "\r\n" : "\n";
}

export function hasOnlyCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text);
}

export function normalizeToLF(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

export function restoreLineEndings(text: string, ending: LineEnding): string {
  return ending === "\r\n" ? normalizeToLF(text).replaceAll("\n", "\r\n") : text;
}
