/** Quotes a word in single quotes for a shell as git does, including "!". */
export function shellQuoted(text: string): string {
  return `'${text.replace(/['!]/g, (c) => `'\\${c}'`)}'`;
}
