/** `git config`: selects the requested action; reading and writing have their own files. */
import { GitError } from "../../../errors.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import { usageText } from "../../framework/usage-text.ts";
import { type ConfigType, chooseType } from "./config-type.ts";
import { getColor, getColorBool, getUrlMatch, getValues, listValues } from "./read.ts";
import { findSource } from "./source.ts";
import { editSection, setValue, unsetValue } from "./write.ts";

const action = (name: string, help: string) => ({ long: `--${name}`, noNegation: true, help }) as const;

export const config = defineCommand({
  name: "config",
  usage: ["git config [<options>]"],
  stopAtNonOption: true,
  flags: {
    global: { long: "--global", help: "use global config file" },
    system: { long: "--system", help: "use system config file" },
    local: { long: "--local", help: "use repository config file" },
    worktree: { long: "--worktree", help: "use per-worktree config file" },
    file: { short: "-f", long: "--file", value: "string", arg: "<file>", help: "use given config file" },
    blob: { long: "--blob", value: "string", arg: "<blob-id>", help: "read config from given blob object" },
    get: action("get", "get value: name [value-pattern]"),
    getAll: action("get-all", "get all values: key [value-pattern]"),
    getRegexp: action("get-regexp", "get values for regexp: name-regex [value-pattern]"),
    getUrlmatch: action("get-urlmatch", "get value specific for the URL: section[.var] URL"),
    replaceAll: action("replace-all", "replace all matching variables: name value [value-pattern]"),
    add: action("add", "add a new variable: name value"),
    unset: action("unset", "remove a variable: name [value-pattern]"),
    unsetAll: action("unset-all", "remove all matches: name [value-pattern]"),
    renameSection: action("rename-section", "rename section: old-name new-name"),
    removeSection: action("remove-section", "remove a section: name"),
    list: { short: "-l", long: "--list", noNegation: true, help: "list all" },
    fixedValue: {
      long: "--fixed-value",

      help: "use string equality when comparing values to 'value-pattern'",
    },
    edit: { short: "-e", long: "--edit", noNegation: true, help: "open an editor" },
    getColor: action("get-color", "find the color configured: slot [default]"),
    getColorbool: action("get-colorbool", "find the color setting: slot [stdout-is-tty]"),
    type: { short: "-t", long: "--type", value: "string", arg: "<type>", help: "value is given this type" },
    bool: { long: "--bool", help: 'value is "true" or "false"' },
    int: { long: "--int", help: "value is decimal number" },
    boolOrInt: { long: "--bool-or-int", help: "value is --bool or --int" },
    boolOrStr: { long: "--bool-or-str", help: "value is --bool or string" },
    path: { long: "--path", help: "value is a path (file or directory name)" },
    expiryDate: { long: "--expiry-date", help: "value is an expiry date" },
    null: { short: "-z", long: "--null", help: "terminate values with NUL byte" },
    nameOnly: { long: "--name-only", help: "show variable names only" },
    includes: { long: "--includes", help: "respect include directives on lookup" },
    showOrigin: {
      long: "--show-origin",

      help: "show origin of config (file, standard input, blob, command line)",
    },
    showScope: {
      long: "--show-scope",

      help: "show scope of config (worktree, local, global, system, command)",
    },
    default: {
      long: "--default",
      value: "string",
      arg: "<value>",
      help: "with --get, use default value when missing entry",
    },
  },
  async run(context, { flags, args, afterDashes, order }) {
    const words = [...args, ...(afterDashes ?? [])];
    const locations = [flags.system, flags.global, flags.local, flags.worktree, flags.file, flags.blob];
    if (locations.filter(Boolean).length > 1) throw usage("only one config file at a time");
    const type = chooseType(order);
    const actions = ACTIONS.filter((name) => flags[name]);
    if (actions.length > 1) throw usage("only one action at a time");
    const chosen = actions[0] ?? (["get", "set", "setMatching"] as const)[words.length - 1];
    if (chosen === undefined) throw usage("");
    const reading = (READING as readonly string[]).includes(chosen);
    if (flags.nameOnly && chosen !== "list" && chosen !== "getRegexp") {
      throw usage("--name-only is only applicable to --list or --get-regexp");
    }
    if (flags.showOrigin && !reading) {
      throw usage("--show-origin is only applicable to --get, --get-all, --get-regexp, and --list");
    }
    if (flags.default !== undefined && chosen !== "get") throw usage("--default is only applicable to --get");
    checkFixed(chosen, flags.fixedValue ?? false, words.length);
    const request: ConfigRequest = {
      context,
      source: await findSource(context, flags),
      words,
      type,
      nul: flags.null ?? false,
      nameOnly: flags.nameOnly ?? false,
      showOrigin: flags.showOrigin ?? false,
      showScope: flags.showScope ?? false,
      fixedValue: flags.fixedValue ?? false,
      ...(typeof flags.default === "string" ? { byDefault: flags.default } : {}),
    };
    return perform(chosen, request);
  },
});

export interface ConfigRequest {
  readonly context: CommandContext;
  readonly source: Awaited<ReturnType<typeof findSource>>;
  readonly words: readonly string[];
  readonly type: ConfigType | null;
  readonly nul: boolean;
  readonly nameOnly: boolean;
  readonly showOrigin: boolean;
  readonly showScope: boolean;
  readonly fixedValue: boolean;
  readonly byDefault?: string;
}

const READING = ["get", "getAll", "getRegexp", "list"] as const;
const ACTIONS = [
  ...READING,
  "getUrlmatch",
  "replaceAll",
  "add",
  "unset",
  "unsetAll",
  "renameSection",
  "removeSection",
  "edit",
  "getColor",
  "getColorbool",
] as const;
type Action = (typeof ACTIONS)[number] | "set" | "setMatching";

async function perform(chosen: Action, request: ConfigRequest): Promise<number> {
  const { words } = request;
  const need = (min: number, max: number) => {
    if (words.length >= min && words.length <= max) return;
    throw usage(
      min === max
        ? `wrong number of arguments, should be ${min}`
        : `wrong number of arguments, should be from ${min} to ${max}`,
    );
  };
  switch (chosen) {
    case "list":
      need(0, 0);
      return listValues(request);
    case "get":
    case "getAll":
    case "getRegexp":
      need(1, 2);
      return getValues(request, chosen);
    case "getUrlmatch":
      need(2, 2);
      return getUrlMatch(request);
    case "set":
    case "setMatching":
      return setValue(request, { all: false, add: false });
    case "add":
      need(2, 2);
      return setValue(request, { all: false, add: true });
    case "replaceAll":
      need(2, 3);
      return setValue(request, { all: true, add: false });
    case "unset":
    case "unsetAll":
      need(1, 2);
      return unsetValue(request, chosen === "unsetAll");
    case "renameSection":
      need(2, 2);
      return editSection(request, words[1] as string);
    case "removeSection":
      need(1, 1);
      return editSection(request, null);
    case "getColor":
      need(1, 2);
      return getColor(request);
    case "getColorbool":
      need(1, 2);
      return getColorBool(request);
    case "edit":
      throw new GitError("EUNSUPPORTED", "there is no editor here; set a value with 'git config <name> <value>'");
    default:
      return chosen satisfies never;
  }
}

function checkFixed(chosen: Action, fixed: boolean, words: number): void {
  if (!fixed) return;
  const needed: Partial<Record<Action, number>> = {
    get: 2,
    getAll: 2,
    getRegexp: 2,
    unset: 2,
    unsetAll: 2,
    setMatching: 3,
    replaceAll: 3,
  };
  const min = needed[chosen];
  if (min === undefined || words < min) throw usage("--fixed-value only applies with 'value-pattern'");
}

function usage(message: string): GitError {
  return new GitError("EUSAGE", message, { hint: usageText(config) });
}
