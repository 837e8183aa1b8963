/** `apply --stat`, `--numstat` and `--summary`: from the patch alone, in an older layout than `diff --stat`. */

import type { FilePatch } from "@workspace/text";
import { statSummary } from "../patch/patch-stat.ts";
import { quotePath } from "../text/quote-path.ts";

const MAX_NAME = 50;
const MAX_LINE = 70;

const patchName = ({ newName, oldName }: FilePatch) => (newName ?? oldName) as string;

export function applyStat(patches: readonly FilePatch[]): string {
  const longest = Math.max(0, ...patches.map((patch) => quotePath(patchName(patch)).length));
  const max = Math.max(0, ...patches.map(({ added, removed }) => added + removed));
  let text = "";
  let [added, removed] = [0, 0];
  for (const patch of patches) {
    added += patch.added;
    removed += patch.removed;
    text += statLine(patch, Math.min(longest, MAX_NAME), max);
  }
  return text + statSummary(patches.length, added, removed);
}

function statLine(patch: FilePatch, width: number, max: number): string {
  let name = quotePath(patchName(patch));
  if (name.length > width) {
    const from = name.length + 3 - width;
    const slash = name.indexOf("/", from);
    name = `...${name.slice(slash < 0 ? from : slash)}`;
  }
  const padded = name.padEnd(width);
  if (patch.binary !== null) return ` ${padded} |  Bin\n`;
  const room = width + max > MAX_LINE ? MAX_LINE - width : max;
  const scale = (count: number) => (max > 0 ? Math.floor((count * room + Math.floor(max / 2)) / max) : count);
  const plus = scale(patch.added);
  const minus = scale(patch.added + patch.removed) - plus;
  const count = String(patch.added + patch.removed).padStart(5);
  return ` ${padded} |${count} ${"+".repeat(plus)}${"-".repeat(Math.max(0, minus))}\n`;
}

export function applyNumstat(patches: readonly FilePatch[], nul: boolean): string {
  return patches
    .map((patch) => {
      const counts = patch.binary !== null ? "-\t-" : `${patch.added}\t${patch.removed}`;
      const name = patchName(patch);
      return `${counts}\t${nul ? name : quotePath(name)}${nul ? "\0" : "\n"}`;
    })
    .join("");
}

export function applySummary(patches: readonly FilePatch[]): string {
  return patches.map(summaryLine).join("");
}

function summaryLine(patch: FilePatch): string {
  const { isNew, isDelete, isRename, isCopy, score, oldName, newName, oldMode, newMode } = patch;
  const octal = (mode: number) => mode.toString(8).padStart(6, "0");
  const reported = (what: string, mode: number, name: string | null) =>
    mode === 0 ? ` ${what} ${name}\n` : ` ${what} mode ${octal(mode)} ${name}\n`;
  const change = (name: string | null) =>
    oldMode !== 0 && newMode !== 0 && oldMode !== newMode
      ? ` mode change ${octal(oldMode)} => ${octal(newMode)}${name === null ? "" : ` ${name}`}\n`
      : "";
  if (isNew === true) return reported("create", newMode, newName);
  if (isDelete === true) return reported("delete", oldMode, oldName);
  if (isRename || isCopy) {
    const displayed = commonEnds(oldName as string, newName as string);
    return ` ${isRename ? "rename" : "copy"} ${displayed} (${score}%)\n${change(null)}`;
  }
  if (score > 0) return ` rewrite ${newName} (${score}%)\n${change(null)}`;
  return change(newName);
}

/** "dir/{a => b}": only the common prefix is factored out. */
function commonEnds(from: string, to: string): string {
  let slash = 0;
  for (let i = 0; i < from.length && from[i] === to[i]; i++) if (from[i] === "/") slash = i + 1;
  if (slash === 0) return `${from} => ${to}`;
  return `${from.slice(0, slash)}{${from.slice(slash)} => ${to.slice(slash)}}`;
}
