/**
 * `git stripspace`: removes trailing spaces and blank lines at both ends, collapses several blank lines, and ends
 * the last line.
 */

interface StripOptions {
  /** Lines with this prefix are removed too. */
  readonly comment?: string;
}

export function stripSpace(text: string, { comment }: StripOptions = {}): string {
  let out = "";
  let blanks = 0;
  for (const line of text.split("\n")) {
    if (comment !== undefined && line.startsWith(comment)) continue;
    const retained = line.replace(/(?<![ \t\r\v\f])[ \t\r\v\f]+$/, () => "");
    if (retained === "") {
      blanks++;
      continue;
    }
    if (blanks > 0 && out !== "") out += "\n";
    blanks = 0;
    out += `${retained}\n`;
  }
  return out;
}

export function commentLines(text: string, comment: string): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => `${comment}${line === "" || line.startsWith("\t") ? "" : " "}${line}\n`).join("");
}
