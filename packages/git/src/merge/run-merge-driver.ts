/**
 * A custom merge driver (`merge.<name>.driver`): a command line that the host runs. It reads the three versions from files and
 * writes the result to that of our side; a failure is a conflict. If the host runs no commands the merge is refused, before any
 * change.
 */

import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { decode } from "../text/bytes.ts";
import type { Triple } from "./merge-entry.ts";

export interface ProgramDriver {
  readonly kind: "program";
  readonly name: string;
  readonly command: string;
}

/** Null: no driver of that name is configured. */
export function programDriver({ config }: Repository, name: string): ProgramDriver | null {
  const command = config.get(`merge.${name}.driver`);
  const isNamed = ["name", "recursive"].some((key) => config.get(`merge.${name}.${key}`) !== undefined);
  if (command === undefined && !isNamed) return null;
  if (!command) throw new GitError("EINVAL", `custom merge driver ${name} lacks command line.`);
  return { kind: "program", name, command };
}

export async function runMergeDriver(
  repo: Repository,
  { name, command }: ProgramDriver,
  path: string,
  [base, ours, theirs]: Triple<Uint8Array>,
  markerSize: number,
): Promise<{ clean: boolean; oid: Oid }> {
  const { host, fs, workTree, env } = repo;
  if (host.run === undefined || workTree === null)
    throw new GitError(
      "EUNSUPPORTED",
      `the merge driver '${name}' of ${path} cannot be run here: programs are not run; '${path} merge=text' in .git/info/attributes merges it as text`,
    );
  const names = { O: base, A: ours, B: theirs };
  const suffix = crypto
    .randomUUID()
    .replaceAll("-", () => "")
    .slice(0, 6);
  const file = (letter: string) => `.merge_file_${letter}${suffix}`;
  try {
    for (const [letter, content] of Object.entries(names)) await fs.writeFile(`${workTree}/${file(letter)}`, content);
    const line = command.replace(/%(.)/gs, (typed, letter: string) => {
      if (letter in names) return file(letter);
      if (letter === "L") return String(markerSize);
      if (letter === "P") return quoted(path);
      return letter === "%" ? "%" : typed;
    });
    const { exitCode, stdout, stderr } = await host.run({ command: line, cwd: workTree, env: { ...env } });
    for (const reported of [stdout, stderr])
      if (reported.length > 0)
        repo.warn?.(
          decode(reported).replace(/\n$/, () => ""),
          "",
        );
    const content = await fs.readFile(`${workTree}/${file("A")}`).catch((cause: unknown) => {
      throw new GitError("ESTATE", "error: Failed to execute internal merge", { prefix: "error", cause });
    });
    return { clean: exitCode === 0, oid: await repo.odb.write("blob", content) };
  } finally {
    for (const letter of Object.keys(names))
      await fs.rm(`${workTree}/${file(letter)}`, { recursive: true, force: true });
  }
}

function quoted(path: string): string {
  return `'${path.replace(/['!]/g, (mark) => `'\\${mark}'`)}'`;
}
