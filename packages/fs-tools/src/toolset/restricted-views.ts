/**
 * The workspace as one toolset sees it: restricted by the host's policy, which the file system itself enforces, so that no tool has
 * to. git gets the same policy within the tools' root, without commands to run and with the shell's network policy.
 */
import type { PathPolicy } from "@workspace/glob";
import type { ToolHost } from "../definition/tool-context.ts";
import type { RestrictedViews, ToolWorkspace } from "../definition/tool-workspace.ts";

type Rules = Pick<ToolHost, "deny" | "writable" | "mode" | "exec">;

/** `root`: the tools' root, without links. */
export function restrictedViews(workspace: ToolWorkspace, root: string, rules: Rules): RestrictedViews {
  const { deny, writable, mode, exec } = rules;
  const isNarrowed = root !== (workspace.root ?? "/workspace") && root !== "/";
  const visible: PathPolicy = {
    ...(isNarrowed ? { root } : {}),
    ...(deny.length === 0 ? {} : { deny }),
  };
  const accepted: PathPolicy = { ...visible, ...(writable === undefined ? {} : { writable }) };
  const calls: PathPolicy = { ...accepted, ...(mode === "propose" ? { readOnly: true } : {}) };
  const commands = exec.unconfined ? { ...visible, allowContainer: true } : calls;
  return {
    files: restricted(workspace, calls),
    accepted: restricted(workspace, accepted),
    git: workspace.restrict?.({ ...calls, root }) ?? workspace,
    shell: restricted(workspace, commands),
  };
}

/** The workspace itself if the policy is empty: its searches may use the container. */
function restricted(workspace: ToolWorkspace, policy: PathPolicy): ToolWorkspace {
  const says = ["root", "deny", "writable", "readOnly"].some((field) => field in policy);
  return says ? (workspace.restrict?.(policy) ?? workspace) : workspace;
}
