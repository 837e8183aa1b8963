/**
 * Standard input for the search engine, which reads files: put where nobody looks while the search runs, and not in anybody's
 * name. What is searched is named as grep and ripgrep name it.
 */
import { PRIVATE_DIRECTORY } from "@workspace/protocol";
import { bytesOf } from "../byte-string.ts";
import type { WorkerHost } from "../worker-host.ts";

export async function withStandardInput<T>(
  { scratch, root }: WorkerHost,
  stdin: unknown,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const directory = `${root === "/" ? "" : root}/${PRIVATE_DIRECTORY}/stdin`;
  const path = `${directory}/${crypto.randomUUID()}`;
  await scratch.mkdir(directory, { recursive: true });
  await scratch.writeFile(`${root === "/" ? "" : root}/${PRIVATE_DIRECTORY}/.gitignore`, "*\n");
  await scratch.writeFile(path, bytesOf(stdin as string));
  try {
    return await use(path);
  } finally {
    await scratch.rm(path, { force: true });
  }
}
