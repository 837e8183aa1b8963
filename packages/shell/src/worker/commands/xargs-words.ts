/** Splits the input of xargs: at blanks, with quotes and backslashes; at a character; or at lines. */

/** Null: an unterminated quote. Without `splits` only quotes and backslashes are interpreted, and blanks belong to the word. */
export function blankSeparated(text: string, splits = true): string[] | null {
  const words: string[] = [];
  // Whole runs at once: an input may be a few words per line on a million lines.
  const plain = splits ? /[^ \t\n'"\\]+/y : /[^'"\\]+/y;
  let word = "";
  let inWord = false;
  for (let i = 0; i < text.length; ) {
    const sign = text[i] as string;
    plain.lastIndex = i;
    if (plain.test(text)) {
      word += text.slice(i, plain.lastIndex);
      inWord = true;
      i = plain.lastIndex;
    } else if (sign === "'" || sign === '"') {
      const end = text.indexOf(sign, i + 1);
      if (end < 0 || text.slice(i, end).includes("\n")) return null;
      word += text.slice(i + 1, end);
      inWord = true;
      i = end + 1;
    } else if (sign === "\\") {
      word += text[i + 1] ?? "";
      inWord = true;
      i += 2;
    } else {
      if (inWord) words.push(word);
      [word, inWord] = ["", false];
      i++;
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
