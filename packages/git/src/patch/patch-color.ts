/** The colors of a diff: git's defaults, or `color.diff.<slot>`. */
import { configuredColor, RESET } from "../config/color.ts";
import type { GitConfig } from "../config/git-config.ts";
import type { DiffColors } from "../diff/diff-options.ts";

export function diffColors(config: GitConfig): DiffColors {
  const slot = (name: string, fallback: string, other?: string) => {
    const key = other !== undefined && config.get(`color.diff.${name}`) === undefined ? other : name;
    return configuredColor(config, `color.diff.${key}`, fallback);
  };
  const moved = (name: string, plain: string, alternative: string) => [
    slot(name, plain),
    slot(`${name}Alternative`, alternative),
    slot(`${name}Dimmed`, "\x1b[2m"),
    slot(`${name}AlternativeDimmed`, "\x1b[2;3m"),
  ];
  return {
    reset: RESET,
    context: slot("context", "", "plain"),
    meta: slot("meta", "\x1b[1m"),
    frag: slot("frag", "\x1b[36m"),
    func: slot("func", ""),
    old: slot("old", "\x1b[31m"),
    new: slot("new", "\x1b[32m"),
    whitespace: slot("whitespace", "\x1b[41m"),
    moved: {
      old: moved("oldMoved", "\x1b[1;35m", "\x1b[1;34m"),
      new: moved("newMoved", "\x1b[1;36m", "\x1b[1;33m"),
    },
  };
}
