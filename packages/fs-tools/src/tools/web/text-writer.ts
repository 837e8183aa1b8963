/** Writes text as HTML lays it out: white space between words collapses, blocks are separated, `pre` stays unchanged. */
const SPACE_AT_END = /\s$/;

export class TextWriter {
  /** Non-empty pieces: appending never copies a long text. */
  readonly #parts: string[] = [];
  #pre = 0;
  /** Characters written, including those trimmed later. */
  written = 0;

  text(text: string): void {
    if (this.#pre > 0) return this.#add(text);
    const words = text.replace(/\s+/g, " ");
    this.#add(this.#isEmpty || this.#endsInSpace ? words.trimStart() : words);
  }

  /** Writes inline text unchanged. */
  mark(text: string): void {
    if (this.#pre === 0 || text !== "`") this.#add(text);
  }

  line(): void {
    if (this.#isEmpty || this.#endsWith("\n")) return;
    if (this.#pre === 0) this.#trimEnd();
    this.#add("\n");
  }

  block(text = ""): void {
    this.line();
    if (!this.#isEmpty && !this.#endsWith("\n\n")) this.#add("\n");
    if (text !== "") this.#add(`${text}\n\n`);
  }

  start(mark: string, apart = false): void {
    if (apart) this.block();
    else this.line();
    this.#add(mark);
  }

  pre(opens: boolean): void {
    if (opens) {
      this.block();
      this.#add("```\n");
      this.#pre++;
      return;
    }
    if (this.#pre === 0) return;
    this.#pre--;
    if (!this.#endsWith("\n")) this.#add("\n");
    this.#add("```\n\n");
  }

  /** The text without trailing spaces on lines, and with at most one empty line in a row. */
  done(): string {
    const lines = this.#parts.join("").split("\n");
    return lines
      .map(withoutBlanksAtEnd)
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  }

  get #isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  get #endsInSpace(): boolean {
    return SPACE_AT_END.test(this.#parts.at(-1)?.slice(-1) ?? "");
  }

  #endsWith(end: string): boolean {
    const last = this.#parts.at(-1) ?? "";
    return last.length >= end.length ? last.endsWith(end) : ((this.#parts.at(-2) ?? "") + last).endsWith(end);
  }

  #add(text: string): void {
    if (text === "") return;
    this.#parts.push(text);
    this.written += text.length;
  }

  #trimEnd(): void {
    for (let last = this.#parts.pop(); last !== undefined; last = this.#parts.pop()) {
      const rest = last.trimEnd();
      if (rest === "") continue;
      this.#parts.push(rest);
      return;
    }
  }
}

function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end--;
  return end === line.length ? line : line.slice(0, end);
}
