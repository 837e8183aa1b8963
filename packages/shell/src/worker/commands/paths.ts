/** A word on a command line to a path. Dots in it are the file system's to follow, links and all. */
export function absolutePath(cwd: string, word: string): string {
  return word.startsWith("/") ? word : `${cwd === "/" ? "" : cwd}/${word}`;
}
