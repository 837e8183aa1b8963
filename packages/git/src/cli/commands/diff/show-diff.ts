/** From pairs to output and exit code; shared by `diff` and its plumbing. */

import { combinedPaths } from "../../../diff/diff-combined.ts";
import type { DiffOptions } from "../../../diff/diff-options.ts";
import { treePairs } from "../../../diff/diff-trees.ts";
import type { FilePair } from "../../../diff/file-pair.ts";
import { type DiffResult, runDiffcore } from "../../../diff/run-diffcore.ts";
import { GitError } from "../../../errors.ts";
import { errnoText } from "../../../lock-file.ts";
import type { Oid } from "../../../object/oid.ts";
import { writeCombined } from "../../../patch/patch-combined.ts";
import { type WriteDiffOptions, writeDiff } from "../../../patch/patch-writer.ts";
import type { Repository } from "../../../repository.ts";
import { absolutePath } from "../../../text/absolute-path.ts";
import { concat } from "../../../text/bytes.ts";
import type { ReadDiffOptions } from "../../flags/read-diff-options.ts";
import type { CommandContext } from "../../framework/command.ts";

interface ShowDiffOptions extends WriteDiffOptions {
  /** Omits files whose stat differs but whose content does not. */
  dropSame?: boolean;
  /** Called before any output, if there is a difference. */
  before?: () => void;
  /** Earlier output counts as a difference for `--exit-code`. */
  changed?: boolean;
}

export async function showDiff(
  context: CommandContext,
  repo: Repository | null,
  pairs: readonly FilePair[],
  options: ReadDiffOptions,
  settings: ShowDiffOptions = {},
): Promise<number> {
  const diff = await runDiffcore(repo, pairs, options, { dropSame: settings.dropSame });
  const out = openOutput(context, options);
  if (diff.pairs.length > 0) settings.before?.();
  const { changed, faulty } = await writeDiff(out.write, diff, options, {
    columns: terminalColumns(context),
    ...settings,
  });
  await out.close();
  warnRenameLimit(context, diff);
  return exitCode(options, changed || settings.changed === true, faulty);
}

const STATISTICS = ["stat", "numstat", "shortstat", "summary", "dirstat"] as const;

/** Shows a merge against its parents; statistics are against the first one. */
export async function showCombined(
  context: CommandContext,
  repo: Repository,
  tree: Oid,
  parents: readonly (Oid | null)[],
  options: ReadDiffOptions,
): Promise<number> {
  const paths = await combinedPaths(repo, tree, parents, options);
  const statistics = STATISTICS.filter((format) => options.formats.has(format));
  if (statistics.length > 0) {
    const first = { ...options, formats: new Set(statistics), combined: null };
    const pairs = await treePairs(repo, parents[0] ?? null, tree, first);
    await showDiff(context, repo, pairs, first);
  }
  const out = openOutput(context, options);
  await writeCombined(out.write, repo, paths, options, { separate: statistics.length > 0 });
  await out.close();
  return exitCode(options, paths.length > 0, false);
}

function exitCode(options: DiffOptions, changed: boolean, faulty: boolean): number {
  const check = options.formats.has("check") && faulty ? 2 : 0;
  return check | ((options.exitCode || options.quiet) && changed ? 1 : 0);
}

/** `--output`, or stdout. */
export function openOutput(context: CommandContext, { outputFile }: ReadDiffOptions) {
  if (outputFile === null) return { write: context.out, close: async () => {} };
  const parts: Uint8Array[] = [];
  return {
    write: (data: Uint8Array) => void parts.push(data),
    close: async () => {
      try {
        await context.host.fs.writeFile(absolutePath(outputFile, context.cwd), concat(parts));
      } catch (cause) {
        const reason = errnoText((cause as { code?: string }).code);
        throw new GitError("EINVAL", `could not open '${outputFile}' for writing: ${reason}`, { cause });
      }
    },
  };
}

/** There is no terminal, but the environment may set its width. */
export function terminalColumns({ env }: Pick<CommandContext, "env">): number {
  const columns = Number(env.COLUMNS);
  return Number.isInteger(columns) && columns > 0 ? columns : 80;
}

function warnRenameLimit(context: CommandContext, { neededRenameLimit, degradedCopies }: DiffResult): void {
  if (degradedCopies) context.err("warning: only found copies from modified paths due to too many files.\n");
  else if (neededRenameLimit > 0) {
    context.err("warning: exhaustive rename detection was skipped due to too many files.\n");
  } else return;
  context.err(
    `warning: you may want to set your diff.renameLimit variable to at least ${neededRenameLimit} and retry the command.\n`,
  );
}
