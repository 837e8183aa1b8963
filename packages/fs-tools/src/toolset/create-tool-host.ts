/**
 * Creates the host that tools run on, for a toolset and for a single tool alike: files, state, limits, and views that the host's
 * rules restrict.
 */

import { compilePathPolicy } from "@workspace/glob";
import { internals } from "@workspace/protocol";
import type { ToolHost } from "../definition/tool-context.ts";
import type { ToolsetContext } from "../files/call-context.ts";
import type { ReadCache } from "../files/read-cache.ts";
import { defaultToolLimits } from "../limits.ts";
import { linksOf } from "../paths/links-of.ts";
import { PathResolver } from "../paths/path-resolver.ts";
import type { ToolState } from "../state/tool-state.ts";
import { restrictedViews } from "./restricted-views.ts";
import type { ToolsetOptions } from "./toolset.ts";

/** `memory`: the state if the workspace stores none, and what was read lately. */
export function createToolHost(
  options: ToolsetOptions,
  { root, cwd }: { root: string; cwd: string },
  memory: { state: ToolState; recent: ReadCache },
): ToolsetContext {
  const { store, actor = "agent", deny = [], writable } = options;
  const workspace = options.workspace?.as?.({ actor }) ?? options.workspace;
  const given: ToolHost = {
    store,
    workspace,
    state: options.state ?? options.workspace?.[internals]?.toolState ?? memory.state,
    limits: { ...defaultToolLimits, ...options.limits },
    now: options.now ?? (() => Date.now()),
    mode: options.mode ?? "direct",
    exec: options.exec ?? {},
    disabledMatchStrategies: options.disabledMatchStrategies ?? [],
    agents: options.agents,
    web: options.web,
    search: options.search,
    exposePort: options.exposePort,
    deny,
    writable,
  };
  const views = workspace && restrictedViews(workspace, root, given);
  const host = views === undefined ? given : { ...given, views, workspace: views.files };
  const rules = compilePathPolicy([{ root, deny, ...(writable && { writable }) }], root);
  const paths = new PathResolver(root, cwd, rules, linksOf(host.workspace, store));
  return { host, paths, recent: memory.recent, actor };
}
