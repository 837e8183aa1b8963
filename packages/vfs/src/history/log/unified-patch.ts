/** Formats one file's difference as `git diff` does, with paths from `/`, so that other tools can apply it. */
import { splitLines, unifiedHunks } from "@workspace/text";

export interface PatchSide {
  readonly path: string;
  /** With the type bits. */
  readonly mode: number;
  readonly bytes: Uint8Array;
}

export function unifiedPatch(from: PatchSide | null, to: PatchSide | null, context: number): string {
  const shown = (to ?? from) as PatchSide;
  const before = from?.path ?? shown.path;
  const lines = [`diff --git ${named("a", before)} ${named("b", shown.path)}`];
  if (from === null) lines.push(`new file mode ${octal(shown.mode)}`);
  else if (to === null) lines.push(`deleted file mode ${octal(from.mode)}`);
  else {
    if (from.mode !== to.mode) lines.push(`old mode ${octal(from.mode)}`, `new mode ${octal(to.mode)}`);
    if (before !== shown.path) lines.push(`rename from ${before.slice(1)}`, `rename to ${shown.path.slice(1)}`);
  }
  const hunks = unifiedHunks(splitLines(from?.bytes ?? NOTHING), splitLines(to?.bytes ?? NOTHING), { context });
  if (hunks.length > 0) {
    lines.push(`--- ${from === null ? "/dev/null" : named("a", before)}`);
    lines.push(`+++ ${to === null ? "/dev/null" : named("b", shown.path)}`);
  }
  return `${lines.join("\n")}\n${new TextDecoder().decode(hunks)}`;
}

const NOTHING = new Uint8Array(0);

function octal(mode: number): string {
  return mode.toString(8).padStart(6, "0");
}

/** Quoted as git quotes, if a name would break the line. */
function named(side: "a" | "b", path: string): string {
  const text = `${side}${path}`;
  if (!/[\u0000-\u001f\u007f"\\]/.test(text)) return text;
  return `"${text.replace(/[\u0000-\u001f\u007f"\\]/g, (c) =>
    c === '"' || c === "\\" ? `\\${c}` : `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`,
  )}"`;
}
