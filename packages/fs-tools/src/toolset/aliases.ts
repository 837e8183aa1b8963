/**
 * Names and fields of other tool families that `toolset.handle` accepts. An alias keeps its family's meaning: `search_code` is a
 * regular expression, `list_directory`, `search_files` and `search_code` print text.
 */
export const ReadToolName = "read_file";
export const WriteToolName = "write_file";
export const EditToolName = "edit_file";
export const ListDirToolName = "list_directory";
export const SearchFilesName = "search_files";
export const SearchCodeName = "search_code";
export const BashToolName = "bash";
export const WebFetchToolName = "web_fetch";
export const WebSearchToolName = "web_search";
export const SpawnAgentToolName = "spawn_agent";

export interface Alias {
  readonly tool: string;
  /** Never throws. */
  input(given: unknown): unknown;
}

interface AliasRule {
  tool: string;
  /** Their field → ours. */
  rename?: Readonly<Record<string, string>>;
  /** Always set. */
  fixed?: Readonly<Record<string, unknown>>;
  /** Set if the caller omits them. */
  defaults?: Readonly<Record<string, unknown>>;
  drop?: readonly string[];
}

const RULES: Readonly<Record<string, AliasRule>> = {
  // The sandbox family.
  read_file: { tool: "read" },
  write_file: { tool: "write" },
  // The `filesystem-*` family.
  "filesystem-list": { tool: "list" },
  "filesystem-read": { tool: "read", rename: { lines: "limit" } },
  "filesystem-exists": { tool: "exists" },
  "filesystem-info": { tool: "info" },
  // The `tool::*` family.
  "tool::file_read": { tool: "read", defaults: { byteOffset: 0 } },
  "tool::file_write": { tool: "write" },
  "tool::file_list": { tool: "list" },
  "tool::apply_patch": { tool: "apply_patch" },
  "tool::shell_exec": { tool: "exec", rename: { timeout: "timeoutMs" }, defaults: { timeoutMs: 120_000 } },
  "tool::web_fetch": { tool: "web_fetch" },
  "tool::web_search": { tool: "web_search" },
  "tool::agent_spawn": { tool: "agent_spawn", drop: ["parentId"] },
  "tool::agent_send": { tool: "agent_send", drop: ["agentId"] },
  // The Go family.
  edit_file: { tool: "edit", rename: { old_string: "oldString", new_string: "newString", replace_all: "replaceAll" } },
  list_directory: { tool: "tree", fixed: { format: "text" } },
  search_files: { tool: "glob", rename: { base_path: "cwd" }, fixed: { format: "text" } },
  search_code: {
    tool: "grep",
    rename: { file_glob: "glob", context_lines: "contextLines" },
    fixed: { regex: true, format: "text" },
  },
  spawn_agent: { tool: "agent_spawn", rename: { model_id: "modelId" } },
};

export const ALIASES: readonly string[] = Object.keys(RULES);

/** Every tool name of the other families, whether it is an alias here, a trained-in verb, or our own name. */
export const COMPATIBLE_TOOL_NAMES = {
  1: ["shell", "read_file", "write_file", "glob", "browse"],
  2: ["filesystem-list", "filesystem-read", "filesystem-exists", "filesystem-info"],
  3: [
    ...(["tool::file_read", "tool::file_write", "tool::file_list", "tool::apply_patch", "tool::shell_exec"] as const),
    ...(["tool::web_fetch", "tool::web_search", "tool::agent_spawn", "tool::agent_send"] as const),
  ],
  4: [
    ...([ReadToolName, WriteToolName, EditToolName, ListDirToolName, SearchFilesName, SearchCodeName] as const),
    ...([BashToolName, WebFetchToolName, WebSearchToolName, SpawnAgentToolName] as const),
  ],
} as const;

/** The input of OpenAI's models to `apply_patch`: the patch itself, in `input`, or one operation on a file. */
const openAiPatch: Alias = { tool: "apply_patch", input: (given) => understood(patchInput, given) };

/** An unreadable input, such as a getter that throws, is passed on and refused by the common validation. */
function understood(read: (given: unknown) => unknown, given: unknown): unknown {
  try {
    return read(given);
  } catch {
    return given;
  }
}

function patchInput(given: unknown): unknown {
  if (typeof given === "string" && given.trimStart().startsWith("*** Begin Patch")) return { patch: given };
  const object = (typeof given === "string" ? parsed(given) : given) as Record<string, unknown> | null;
  if (typeof object !== "object" || object === null) return given;
  if (typeof object.input === "string" && object.patch === undefined) return { patch: object.input };
  const { type, path, diff = "" } = (object.operation ?? {}) as Record<string, unknown>;
  const header = typeof type === "string" && Object.hasOwn(OPERATIONS, type) ? OPERATIONS[type] : undefined;
  if (header === undefined || typeof path !== "string") return given;
  const body = header === "Delete" || diff === "" ? "" : `${String(diff).replace(/\n$/, "")}\n`;
  return { patch: `*** Begin Patch\n*** ${header} File: ${path}\n${body}*** End Patch\n` };
}

const OPERATIONS: Readonly<Record<string, string>> = {
  create_file: "Add",
  update_file: "Update",
  delete_file: "Delete",
};

export function aliasFor(name: string): Alias | undefined {
  if (name === "apply_patch") return openAiPatch;
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (rule === undefined) return undefined;
  return { tool: rule.tool, input: (given) => understood((one) => mapInput(rule, one), given) };
}

function mapInput({ rename = {}, fixed = {}, defaults = {}, drop = [] }: AliasRule, given: unknown): unknown {
  const object = typeof given === "string" ? parsed(given) : (given ?? {});
  if (typeof object !== "object" || object === null || Array.isArray(object)) return given;
  const input: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(object)) {
    if (!drop.includes(name)) input[Object.hasOwn(rename, name) ? rename[name]! : name] = value;
  }
  return { ...input, ...fixed };
}

/** Text that is not JSON is passed on and refused by the common validation. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
