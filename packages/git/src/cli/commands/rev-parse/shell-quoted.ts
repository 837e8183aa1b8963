/** A word in single quotes for a shell, as git quotes: "!" too. */
export function shellQuoted(text: string): string {
  return `'${text.replace(/['!]/g, (c) => `'\\${c}'`)}'`;
}
