/** How xargs splits its input: at blanks with quotes and backslashes, at a character, or at lines. */

/** Null: an unterminated quote. Without `splits` only quotes and backslashes are interpreted, and blanks belong to the word. */
export function blankSeparated(text: string, splits = true): string[] | null {
  const words: string[] = [];
  let word = "";
  let inWord = false;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] as string;
    if (splits && (sign === " " || sign === "\t" || sign === "\n")) {
      if (inWord) words.push(word);
      [word, inWord] = ["", false];
    } else if (sign === "'" || sign === '"') {
      const end = text.indexOf(sign, i + 1);
      if (end < 0 || text.slice(i, end).includes("\n")) return null;
      word += text.slice(i + 1, end);
      inWord = true;
      i = end;
    } else {
      word += sign === "\\" ? (text[++i] ?? "") : sign;
      inWord = true;
    }
  }
  if (inWord) words.push(word);
  return words;
}

/** A trailing separator does not add an empty word. */
export function separated(text: string, separator: string): string[] {
  if (text === "") return [];
  const words = text.split(separator);
  if (words.at(-1) === "") words.pop();
  return words;
}

export function inputLines(text: string): string[] {
  return separated(text, "\n");
}

/** `-d '\n'`. */
export function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = {
    n: "\n",
    t: "\t",
    r: "\r",
    "0": "\0",
    "\\": "\\",
    a: "\x07",
    b: "\b",
    f: "\f",
    v: "\v",
  };
  return text.replace(/^\\(.)$/, (whole, letter: string) => named[letter] ?? whole);
}
