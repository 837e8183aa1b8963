/** Pathspecs from the arguments or from `--pathspec-from-file`. */

import { GitError } from "../../errors.ts";
import { errnoText } from "../../lock-file.ts";
import { parsePathspecFile } from "../../pathspec/pathspec-file.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import type { CommandContext } from "../framework/command.ts";
import type { FlagTable } from "../framework/flag-table.ts";

export const pathspecFlags = {
  pathspecFromFile: { long: "--pathspec-from-file", value: "string", arg: "<file>", help: "read pathspec from file" },
  pathspecFileNul: {
    long: "--pathspec-file-nul",

    help: "with --pathspec-from-file, pathspec elements are separated with NUL character",
  },
} as const satisfies FlagTable;

interface PathspecInput {
  readonly pathspecFromFile?: string | false;
  readonly pathspecFileNul?: boolean;
}

export async function pathspecArguments(
  context: CommandContext,
  { pathspecFromFile, pathspecFileNul }: PathspecInput,
  args: readonly string[],
): Promise<readonly string[]> {
  if (typeof pathspecFromFile !== "string") {
    if (pathspecFileNul)
      throw new GitError("EINVAL", "the option '--pathspec-file-nul' requires '--pathspec-from-file'");
    return args;
  }
  if (args.length > 0)
    throw new GitError("EINVAL", "'--pathspec-from-file' and pathspec arguments cannot be used together");
  return parsePathspecFile(await readInput(context, pathspecFromFile), pathspecFileNul ?? false);
}

/** "-" is stdin. */
export async function readInput(context: CommandContext, path: string): Promise<Uint8Array> {
  if (path === "-") return context.stdin.bytes();
  try {
    return await context.host.fs.readFile(absolutePath(path, context.cwd));
  } catch (cause) {
    const reason = errnoText((cause as { code?: string }).code);
    throw new GitError("ENOTFOUND", `could not open '${path}' for reading: ${reason}`, { cause });
  }
}
