/** `--color-moved` and `--color-moved-ws`, and the values of `diff.colorMoved` and `diff.colorMovedWS`. */
import type { GitConfig } from "../../config/git-config.ts";
import type { MovedOptions } from "../../diff/diff-options.ts";
import { GitError } from "../../errors.ts";
import type { DiffFlagState, Value } from "./diff-flag-values.ts";

type MovedMode = MovedOptions["mode"] | null;

const MODES: Readonly<Record<string, MovedMode>> = {
  no: null,
  default: "zebra",
  blocks: "blocks",
  zebra: "zebra",
  "dimmed-zebra": "dimmed-zebra",
  dimmed_zebra: "dimmed-zebra",
  plain: "plain",
};
const BAD_MODE = `color moved setting must be one of 'no', 'default', 'blocks', 'zebra', 'dimmed-zebra', 'plain'`;

const WHITESPACE: Readonly<Record<string, MovedOptions["whitespace"]>> = {
  no: "none",
  "ignore-space-at-eol": "at-eol",
  "ignore-space-change": "change",
  "ignore-all-space": "all",
  "allow-indentation-change": "indentation",
};
const WEAKEST_FIRST = ["none", "at-eol", "change", "all", "indentation"] as const;

/** Without a mode: the configured one, or git's default. */
export function takeMoved(state: DiffFlagState, value: Value): void {
  if (value === true) state.moved = configuredMode(state.config) ?? "zebra";
  else if (value === false) state.moved = null;
  else if (Object.hasOwn(MODES, value)) state.moved = MODES[value] as MovedMode;
  else throw new GitError("EUSAGE", `${BAD_MODE}\nerror: bad --color-moved argument: ${value}`);
}

export function takeMovedWhitespace(state: DiffFlagState, value: Value): void {
  if (value === false) {
    state.movedWhitespace = "none";
    return;
  }
  const { rule, errors } = whitespaceOf(String(value));
  if (errors.length > 0) {
    throw new GitError("EUSAGE", [...errors, `invalid mode '${value}' in --color-moved-ws`].join("\nerror: "));
  }
  state.movedWhitespace = rule;
}

export function configuredMoved(config: GitConfig): Pick<DiffFlagState, "moved" | "movedWhitespace"> {
  const { rule, errors } = whitespaceOf(config.get("diff.colormovedws") ?? "no");
  if (errors.length > 0) throw unparsable(errors.join("\nerror: "), "diff.colormovedws");
  return { moved: configuredMode(config), movedWhitespace: rule };
}

function configuredMode(config: GitConfig): MovedMode {
  const word = config.get("diff.colormoved");
  if (word === undefined) return null;
  if (Object.hasOwn(MODES, word)) return MODES[word] as MovedMode;
  if (/^(|true|yes|on|1|false|off|0)$/i.test(word)) return config.getBool("diff.colormoved") ? "zebra" : null;
  throw unparsable(BAD_MODE, "diff.colormoved");
}

function unparsable(error: string, key: string): GitError {
  return new GitError("EINVAL", `${error}\nfatal: unable to parse '${key}' from command-line config`, {
    prefix: "error",
  });
}

function whitespaceOf(text: string): { rule: MovedOptions["whitespace"]; errors: string[] } {
  let rule: MovedOptions["whitespace"] = "none";
  const errors: string[] = [];
  let input = 0;
  for (const word of text.split(",").map((one) => one.trim())) {
    const next = Object.hasOwn(WHITESPACE, word) ? WHITESPACE[word] : undefined;
    if (next === undefined) {
      const names = Object.keys(WHITESPACE).filter((name) => name !== "no");
      const [eol, change] = names as [string, string];
      const displayed = [change, eol, ...names.slice(2)].map((name) => `'${name}'`).join(", ");
      errors.push(`unknown color-moved-ws mode '${word}', possible values are ${displayed}`);
    } else if (next === "none") [rule, input] = ["none", 0];
    else {
      input++;
      if (WEAKEST_FIRST.indexOf(next) > WEAKEST_FIRST.indexOf(rule)) rule = next;
    }
  }
  if (rule === "indentation" && input > 1) {
    errors.push("color-moved-ws: allow-indentation-change cannot be combined with other whitespace modes");
  }
  return { rule, errors };
}
