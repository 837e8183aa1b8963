/** Selects the tools of a toolset: those with a backend, then `allow`, minus `disabled` and disabled groups, then the role. */
import { type AnyTool, TOOL_GROUPS, type ToolGroup } from "../definition/define-tool.ts";
import { ToolError } from "../errors.ts";
import { type Role, roleAllows } from "./roles.ts";

export const PRESETS = {
  core: ["read", "write", "edit", "grep", "glob", "list", "exec"],
  full: undefined,
} as const satisfies Record<string, readonly string[] | undefined>;
export type Preset = keyof typeof PRESETS;

export interface Selection {
  /** Undefined: all; `[]`: none. */
  allow?: readonly string[];
  disabled?: readonly string[];
  role?: Role;
  preset?: Preset;
  groups?: Partial<Record<ToolGroup, boolean>>;
}

export function selectTools(tools: readonly AnyTool[], selection: Selection): AnyTool[] {
  const { allow, disabled = [], role = "coder", preset = "full", groups = {} } = selection;
  if (!(preset in PRESETS)) throw new ToolError("INVALID_INPUT", `There is no preset ${JSON.stringify(preset)}.`);
  for (const group of Object.keys(groups)) {
    if (!(TOOL_GROUPS as readonly string[]).includes(group))
      throw new ToolError("INVALID_INPUT", `There is no group ${group}; groups are ${TOOL_GROUPS.join(", ")}.`);
  }
  const names: readonly string[] | undefined = allow ?? PRESETS[preset];
  return tools.filter(
    (tool) =>
      (names === undefined || names.includes(tool.name)) &&
      !disabled.includes(tool.name) &&
      groups[tool.group] !== false &&
      roleAllows(role, tool),
  );
}

/** Copies with other descriptions; unnamed tools stay the same, and the shared definitions are never modified. */
export function applyDescriptions(
  tools: readonly AnyTool[],
  descriptions: Readonly<Record<string, string>>,
): AnyTool[] {
  return tools.map((tool) => {
    const description = descriptions[tool.name];
    return description === undefined ? tool : { ...tool, description };
  });
}
