/** Who may do what: explorers look, planners look and run, coders do everything the host has. */
import type { AnyTool } from "../definition/define-tool.ts";
import { ToolError } from "../errors.ts";

export const ROLES = ["explorer", "planner", "coder", "full"] as const;
export type Role = (typeof ROLES)[number];

export const RoleExplorer = "explorer";
export const RolePlanner = "planner";
export const RoleCoder = "coder";
export const RoleFull = "full";

const COMMANDS: readonly string[] = ["exec", "exec_output", "exec_kill"];
/** Writing the log of one's own reads is no change; spawning somebody who writes is. */
const NOT_FOR_EXPLORERS: readonly string[] = ["git", "agent_spawn", "agent_send"];

export function requireRole(role: string): Role {
  if ((ROLES as readonly string[]).includes(role)) return role as Role;
  throw new ToolError("INVALID_INPUT", `There is no role ${JSON.stringify(role)}; roles are ${ROLES.join(", ")}.`);
}

export function roleAllows(role: Role, tool: Pick<AnyTool, "name" | "annotations">): boolean {
  if (role === "coder" || role === "full") return true;
  if (role === "planner" && COMMANDS.includes(tool.name)) return true;
  return tool.annotations.readOnly && !NOT_FOR_EXPLORERS.includes(tool.name) && !COMMANDS.includes(tool.name);
}
