/** The blocks of code of a document, by their info string: tests run them as a reader would. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root.ts";

export interface CodeBlock {
  /** What stands after the three backticks: the language, and a file or a name. */
  readonly info: string;
  readonly text: string;
}

export function codeBlocks(file: string): CodeBlock[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info = "", body = ""]) => ({ info, text: body }));
}

export function codeBlock(file: string, info: string): string {
  const found = codeBlocks(file).filter((block) => block.info === info);
  if (found.length !== 1) throw new Error(`${file} has ${found.length} blocks of "${info}"`);
  return (found[0] as CodeBlock).text;
}

/** The commands of a block, one per line. */
export function commandLines(file: string, info: string): string[] {
  return codeBlock(file, info).trim().split("\n");
}
