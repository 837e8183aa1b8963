/**
 * A set of tools over one workspace or store: selected by preset, role and switches, called by name, described in any dialect.
 * Creating one reads which tools are disabled; everything else happens in the calls.
 */

import type { AnyTool } from "../definition/define-tool.ts";
import { parseInput } from "../definition/parse-input.ts";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { ToolError } from "../errors.ts";
import { callContext } from "../files/call-context.ts";
import { ReadCache } from "../files/read-cache.ts";
import { createProposals } from "../proposals/proposals.ts";
import { MemoryToolState } from "../state/memory-tool-state.ts";
import { WorkspaceFileStore } from "../store/workspace-file-store.ts";
import { allTools } from "../tools/all-tools.ts";
import { providerTools } from "../trained-tools/trained-tools.ts";
import { ActiveTools } from "./active-tools.ts";
import { aiTool } from "./ai-tool.ts";
import { createToolHost } from "./create-tool-host.ts";
import { toDialect } from "./dialects.ts";
import { resolveRoot } from "./resolve-root.ts";
import { requireRole } from "./roles.ts";
import { errorResult, record, runCall } from "./run-call.ts";
import { applyDescriptions, selectTools } from "./select-tools.ts";
import { systemPrompt } from "./system-prompt.ts";
import { ToolMetrics } from "./tool-metrics.ts";
import { requireFreeNames, resolveNames } from "./tool-names.ts";
import type { CallOptions, Toolset, ToolsetOptions } from "./toolset.ts";
import { toolUsage } from "./usage.ts";

export async function createToolset(requested: ToolsetOptions): Promise<Toolset> {
  const options =
    requested.store instanceof WorkspaceFileStore
      ? { ...requested, workspace: requested.store.workspace, store: undefined }
      : requested;
  const { workspace, store } = options;
  const role = requireRole(options.role ?? "coder");
  const { root, cwd } = await withoutLinks(workspace, await resolveRoot(options));
  const recent = new ReadCache(store === undefined && workspace?.history !== undefined);
  const frame = createToolHost(options, { root, cwd }, { state: new MemoryToolState(), recent });
  const { host, actor } = frame;
  const { state, now } = host;
  const metrics = options.metrics ?? new ToolMetrics();
  const recorder = { state, metrics, actor, now };

  const offered = applyDescriptions(
    [...allTools, ...(options.extraTools ?? [])].filter((tool) => tool.available?.(host) ?? true),
    options.descriptions ?? {},
  );
  const extraNames = (options.extraTools ?? []).map(({ name }) => name);
  requireFreeNames(extraNames);
  const allow = options.allow === undefined ? {} : { allow: resolveNames(options.allow, extraNames, "allow") };
  const disabledHere = resolveNames(options.disabled ?? [], extraNames, "disabled");
  const select = (saved: readonly string[]) => {
    const disabled = [...disabledHere, ...saved];
    return { list: selectTools(offered, { ...options, ...allow, role, disabled }), verbsOff: disabled };
  };
  const tools = new ActiveTools(select(await state.disabledTools()));
  const newCallId = callIds();
  const contextFor = (callId: string, tool: AnyTool, signal?: AbortSignal) =>
    callContext(frame, callId, signal, !tool.annotations.readOnly);

  const handle = (given: string, input: unknown, options: CallOptions = {}) => {
    const start = now();
    const { callId = newCallId(start), signal } = options;
    // An untyped caller may send anything as a name.
    const name = typeof given === "object" ? "object" : String(given);
    const known = tools.find(name);
    if (known === undefined) return refuse(name, input, callId, start);
    const { tool, alias } = known;
    const context = signal === undefined ? contextFor : () => contextFor(callId, tool, signal);
    return runCall(tool, alias === undefined ? input : alias.input(input), { callId, start }, recorder, context);
  };
  const whyUnavailable = (name: string) => allTools.find((tool) => tool.name === name)?.unavailable?.(host);
  const refuse = async (name: string, input: unknown, callId: string, start: number) => {
    const isOff = offered.some((tool) => tool.name === name);
    const call = { tool: name.slice(0, 100), callId, given: input, code: "UNKNOWN_TOOL", start, failed: true };
    await record(recorder, call);
    const reason = whyUnavailable(name);
    return errorResult(reason === undefined ? tools.unknown(name, isOff) : new ToolError("UNAVAILABLE", reason));
  };

  return {
    get names() {
      return tools.names;
    },
    get definitions() {
      return tools.list;
    },
    ...{ metrics, root, cwd, handle },
    has: (name) => tools.find(name) !== undefined,
    whyUnavailable,
    proposals: createProposals(frame),
    schemas: (dialect = "json") => tools.list.map((tool) => toDialect(tool, dialect)),
    providerTools: (provider) => providerTools(provider, (name) => tools.find(name) !== undefined),
    validate: (name, input) => {
      const known = tools.find(name);
      if (known === undefined) return tools.unknown(name).message;
      const parsed = parseInput(known.tool, known.alias === undefined ? input : known.alias.input(input));
      return parsed.ok ? null : parsed.error.message;
    },
    usage: (name) => {
      const known = tools.find(name);
      if (known === undefined) throw tools.unknown(name);
      return toolUsage(known.tool);
    },
    systemPrompt: (prompt = {}) =>
      systemPrompt(
        tools.list,
        { root, cwd, proposing: host.mode === "propose" },
        { ...prompt, guidance: { ...options.guidance, ...prompt.guidance } },
      ),
    tools: () =>
      Object.fromEntries(
        tools.list.map((tool) => [
          tool.name,
          aiTool(tool, (input, { toolCallId, abortSignal }) =>
            handle(tool.name, input, {
              ...(toolCallId === undefined ? {} : { callId: toolCallId }),
              ...(abortSignal === undefined ? {} : { signal: abortSignal }),
            }),
          ),
        ]),
      ),
    settings: () => ({
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.maxSteps === undefined ? {} : { stopWhen: stopAfter(options.maxSteps) }),
    }),
    saveDisabled: async (names) => {
      const disabled = resolveNames(names, extraNames, "disabled");
      await state.saveDisabledTools(disabled);
      tools.set(select(disabled));
    },
    audit: (page) => state.auditLog(page),
    inbox: () => state.inbox(options.agents?.agentId ?? actor),
  };
}

/** The SDK's own default is a single step, so "no limit" must be set explicitly too. */
function stopAfter(maxSteps: number): (state: { steps: readonly unknown[] }) => boolean {
  return ({ steps }) => maxSteps > 0 && steps.length >= maxSteps;
}

/** A policy applies to paths without links: the root is resolved now, whatever its links become later. */
async function withoutLinks(
  workspace: ToolWorkspace | undefined,
  { root, cwd }: { root: string; cwd: string },
): Promise<{ root: string; cwd: string }> {
  if (workspace?.restrict === undefined || root === workspace.root) return { root, cwd };
  const real = await workspace.fs.realpath(root).catch(() => root);
  return real === root ? { root, cwd } : { root: real, cwd: real + cwd.slice(root.length) };
}

/** Ids for calls without one: from the time, a counter, and this toolset. */
function callIds(): (ms: number) => string {
  const word = crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36);
  let calls = 0;
  let time = Number.NaN;
  let start = "";
  return (ms) => {
    // Cached: formatting a time in base 36 takes as long as the rest.
    if (ms !== time) start = `call-${ms.toString(36)}-`;
    time = ms;
    return `${start}${(calls++).toString(36)}-${word}`;
  };
}
