/** Colors of `git status`: `color.status`, and `color.status.<slot>` for each kind of text. */
import { configuredColor, RESET, wantColor } from "../../config/color.ts";
import type { GitConfig } from "../../config/git-config.ts";

const GREEN = "\x1b[32m";
const RED = "\x1b[31m";

const SLOTS = {
  header: "",
  updated: GREEN,
  changed: RED,
  untracked: RED,
  branch: "",
  noBranch: RED,
  unmerged: RED,
  localBranch: GREEN,
  remoteBranch: RED,
};

export type StatusSlot = keyof typeof SLOTS;
/** Prefix and suffix of a text of that kind; both "" without color. */
type StatusColors = (slot: StatusSlot) => readonly [on: string, off: string];

export function statusColors(config: GitConfig): StatusColors {
  if (!wantColor(config, config.get("color.status") === undefined ? "status.color" : "color.status", undefined))
    return () => ["", ""];
  return (slot) => {
    const old = slot === "updated" && config.get("color.status.updated") === undefined ? "added" : slot;
    const on = configuredColor(config, `color.status.${old}`, SLOTS[slot]);
    return [on, on === "" ? "" : RESET];
  };
}

export function painter(colors: StatusColors): (slot: StatusSlot, text: string) => string {
  return (slot, text) => colors(slot).join(text);
}
