/** Permissions by role: explorers read, planners read and run commands, coders do everything the host offers. */
import type { AnyTool } from "../definition/define-tool.ts";
import { ToolError } from "../errors.ts";

export const ROLES = ["explorer", "planner", "coder", "full"] as const;
export type Role = (typeof ROLES)[number];

export const RoleExplorer = "explorer";
export const RolePlanner = "planner";
export const RoleCoder = "coder";
export const RoleFull = "full";

const COMMANDS: readonly string[] = ["exec", "exec_output", "exec_kill"];
/** Logging one's own reads is not a change; spawning an agent that writes is. */
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
