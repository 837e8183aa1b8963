/** Applies the flags of `diff-flags.ts` in command-line order on top of the configuration. */

import { wantColor } from "../../config/color.ts";
import type { GitConfig } from "../../config/git-config.ts";
import type { DiffOptions, Pickaxe } from "../../diff/diff-options.ts";
import { GitError } from "../../errors.ts";
import { errnoText } from "../../lock-file.ts";
import type { Oid } from "../../object/oid.ts";
import { diffColors } from "../../patch/patch-color.ts";
import type { Repository } from "../../repository.ts";
import { resolveRevision } from "../../revision/resolve-revision.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { decode } from "../../text/bytes.ts";
import type { CommandContext } from "../framework/command.ts";
import type { ParsedFlagSubset } from "../framework/flag-table.ts";
import { diffFlagMeanings } from "./diff-flag-meanings.ts";
import { type DiffFlagState, readDirstat, takeHighlight } from "./diff-flag-values.ts";
import type { DiffFlags } from "./diff-flags.ts";
import { configuredMoved } from "./moved-flags.ts";

export interface ReadDiffOptions extends DiffOptions {
  /** `--output`. */
  readonly outputFile: string | null;
}

type DiffOptionsContext = Pick<CommandContext, "host" | "cwd">;

/** `repo` null: there is no repository, as for `diff --no-index`. Changes and returns `base`. */
export async function readDiffOptions(
  position: DiffOptionsContext,
  repo: Repository | null,
  config: GitConfig,
  { flags, order }: ParsedFlagSubset<DiffFlags>,
  base: DiffOptions,
): Promise<ReadDiffOptions> {
  const state: DiffFlagState = {
    options: base,
    config,
    prefix: repo?.prefix ?? "",
    color: undefined,
    strings: [],
    objects: [],
    pickaxeAll: false,
    pickaxeRegex: false,
    orderFile: config.get("diff.orderfile") ?? null,
    patience: false,
    ...configuredMoved(config),
  };
  const dirstat = readDirstat(base.dirstat, config.get("diff.dirstat") ?? "");
  if (dirstat !== "") repo?.warn?.(`Found errors in 'diff.dirstat' config variable:\n${dirstat}`);
  const highlighted = config.get("diff.wserrorhighlight");
  if (highlighted !== undefined) takeHighlight(state, highlighted);
  for (const { name, value } of order) {
    if (Object.hasOwn(diffFlagMeanings, name)) diffFlagMeanings[name as keyof DiffFlags]?.(state, value);
  }
  finishFormats(state);
  if (wantColor(config, "color.diff", state.color)) base.color = diffColors(config);
  if (base.color && state.moved) base.colorMoved = { mode: state.moved, whitespace: state.movedWhitespace };
  if (base.wordDiff) base.wordDiff.regex ??= config.get("diff.wordregex") ?? null;
  base.pickaxe = await pickaxeOf(state, repo);
  if (state.orderFile !== null) base.order = await readOrder(position, state.orderFile);
  if (base.quiet) base.formats = new Set(["none"]);
  return Object.assign(base, { outputFile: typeof flags.output === "string" ? flags.output : null });
}

function finishFormats({ options: { formats } }: DiffFlagState): void {
  const alone = ["name-only", "name-status", "check", "none"] as const;
  if (alone.filter((format) => formats.has(format)).length > 1) {
    throw new GitError("EINVAL", "options '--name-only', '--name-status', '--check', and '-s' cannot be used together");
  }
}

async function pickaxeOf(state: DiffFlagState, repo: Repository | null): Promise<Pickaxe | null> {
  const { strings, objects, pickaxeAll, pickaxeRegex } = state;
  const kinds = new Set<string>(strings.map(({ kind }) => kind));
  if (objects.length > 0) kinds.add("object");
  if (kinds.size > 1) throw new GitError("EINVAL", "options '-G', '-S', and '--find-object' cannot be used together");
  if (kinds.has("G") && pickaxeRegex) {
    throw new GitError(
      "EINVAL",
      "options '-G' and '--pickaxe-regex' cannot be used together, use '--pickaxe-regex' with '-S'",
    );
  }
  if (kinds.has("object")) {
    if (pickaxeAll) {
      throw new GitError(
        "EINVAL",
        "options '--pickaxe-all' and '--find-object' cannot be used together, use '--pickaxe-all' with '-G' and '-S'",
      );
    }
    const oids = new Set<Oid>();
    for (const text of objects) {
      if (repo) oids.add(await resolveRevision(repo, text, { missing: () => `unable to resolve '${text}'` }));
    }
    return { kind: "object", text: "", regex: false, all: false, objects: oids };
  }
  const last = strings.at(-1);
  return last ? { ...last, regex: pickaxeRegex, all: pickaxeAll } : null;
}

async function readOrder({ host, cwd }: DiffOptionsContext, file: string): Promise<string[]> {
  if (file === "/dev/null") return [];
  try {
    const text = decode(await host.fs.readFile(absolutePath(file, cwd)));
    return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  } catch (cause) {
    const reason = errnoText((cause as { code?: string }).code);
    throw new GitError("ENOTFOUND", `failed to read orderfile '${file}': ${reason}`, { cause });
  }
}
