/**
 * Editors never run. An editor that would leave the file unchanged counts as having run; for any other, the error names an
 * alternative. `cat` and `true` are what people and scripts set to skip an editor.
 */
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";

type EditorSettings = Pick<Repository, "env" | "config">;

/** `true` ignores its arguments; a command with other shell syntax is not treated as a no-op. */
const NO_OP =
  /^(?:(?::|(?:(?:\/usr)?\/bin\/)?true)(?:\s+[\w./=:@%+,-]+)*|(?:(?:\/usr)?\/bin\/)?cat(?:\s*>\s*\/dev\/null)?)$/;

export function configuredEditor({ env, config }: EditorSettings): string {
  return (env.GIT_EDITOR ?? config.get("core.editor") ?? env.VISUAL ?? env.EDITOR ?? "").trim();
}

/** Returns the editor for the todo list of a rebase. */
export function sequenceEditorOf({ env, config }: EditorSettings): string {
  return (env.GIT_SEQUENCE_EDITOR ?? config.get("sequence.editor"))?.trim() ?? configuredEditor({ env, config });
}

export function isNoOp(editor: string): boolean {
  return NO_OP.test(editor);
}

export function isNoOpEditor(repo: EditorSettings): boolean {
  return isNoOp(configuredEditor(repo));
}

/** git's error for an editor that cannot start; if one is configured, also the alternative. `hint`: lines that follow. */
export function refuseEditor(repo: EditorSettings, hint?: string): void {
  const editor = configuredEditor(repo);
  if (isNoOp(editor)) return;
  const reason =
    editor === ""
      ? "Terminal is dumb, but EDITOR unset\nPlease supply the message using either -m or -F option."
      : `${notStarted(editor)}; give the message with -m or -F, or set GIT_EDITOR=true to take it as it is prepared`;
  throw new GitError("EUNSUPPORTED", reason, { prefix: "error", exitCode: 1, ...(hint === undefined ? {} : { hint }) });
}

/** Three ways to change the todo list without an editor. */
export function refuseSequenceEditor(repo: EditorSettings): void {
  const editor = sequenceEditorOf(repo);
  if (isNoOp(editor)) return;
  throw new GitError(
    "EUNSUPPORTED",
    `${notStarted(editor)}; set GIT_SEQUENCE_EDITOR=: to take the list as it is, with --autosquash for commits that
'git commit --fixup=<commit>' or '--squash=<commit>' made; to make one commit of the last <n>, 'git reset --soft HEAD~<n>' and
'git commit -m <message>'; to give a list of your own, call the method git.rebase({ upstream, todo })`,
  );
}

function notStarted(editor: string): string {
  return editor === "" ? "an editor is not started here" : `an editor is not started here ('${editor}')`;
}
