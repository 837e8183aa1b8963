/**
 * A set of tools over one workspace or store: chosen by preset, role and switches, called by name, described in any dialect.
 * Making one reads which tools are switched off; everything after that is in the calls themselves.
 */

import { callContext } from "../call/call-context.ts";
import type { AnyTool, ToolGroup } from "../definition/define-tool.ts";
import { parseInput } from "../definition/parse-input.ts";
import type { AgentHostOptions, EditRung, ExecHostOptions, ToolHost } from "../definition/tool-context.ts";
import type { ToolResult } from "../definition/tool-result.ts";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { ToolError } from "../errors.ts";
import { compileAccessRules } from "../files/access-rules.ts";
import { findRoot } from "../files/find-root.ts";
import { linksOf } from "../files/links-of.ts";
import { RecentTexts } from "../files/recent-texts.ts";
import { fold, isInside, ToolPaths } from "../files/tool-paths.ts";
import { defaultToolLimits, type ToolLimits } from "../limits.ts";
import { createProposals, type Proposals } from "../proposals/proposals.ts";
import { MemoryToolState } from "../state/memory-tool-state.ts";
import type { AgentMessage, AuditEntry, ToolState } from "../state/tool-state.ts";
import type { FileStore } from "../store/file-store.ts";
import { WorkspaceFileStore } from "../store/workspace-file-store.ts";
import { allTools } from "../tools/all-tools.ts";
import { providerTools, trainedVerbs } from "../verbs/trained-verbs.ts";
import type { FetchOptions } from "../web/fetch-page.ts";
import type { SearchOptions } from "../web/search-web.ts";
import { type AiTool, aiTool } from "./ai-tool.ts";
import { type Alias, aliasFor } from "./aliases.ts";
import { type Dialect, toDialect } from "./dialects.ts";
import { type Role, requireRole } from "./roles.ts";
import { errorResult, record, runCall, unknownTool } from "./run-call.ts";
import { applyDescriptions, type Preset, selectTools } from "./select-tools.ts";
import { type SystemPromptOptions, systemPrompt } from "./system-prompt.ts";
import { ToolMetrics } from "./tool-metrics.ts";
import { usageOf } from "./usage.ts";

export interface ToolsetOptions {
  workspace?: ToolWorkspace;
  /** In place of the workspace's files: read, write, edit and apply_patch work on any store. */
  store?: FileStore;
  /** Where the tools keep what they remember; the workspace's own when it has one. */
  state?: ToolState;
  /** What the tools see; default the workspace's root. "auto": the nearest project at or above `cwd`. */
  root?: string;
  /** Markers of a project, for `root: "auto"`. */
  rootMarkers?: readonly string[];
  /** What relative paths start from; default the root. */
  cwd?: string;
  role?: Role | (string & {});
  preset?: Preset;
  allow?: readonly string[];
  /** Beside those that the workspace remembers as switched off. */
  disabled?: readonly string[];
  groups?: Partial<Record<ToolGroup, boolean>>;
  descriptions?: Readonly<Record<string, string>>;
  guidance?: Readonly<Record<string, string>>;
  mode?: "direct" | "propose";
  limits?: Partial<ToolLimits>;
  exec?: ExecHostOptions;
  editRungsOff?: readonly EditRung[];
  web?: FetchOptions;
  search?: SearchOptions;
  agents?: AgentHostOptions;
  exposePort?: (port: number) => Promise<{ url: string }>;
  deny?: readonly string[];
  writable?: readonly string[];
  /** Foreign tools: `mcpTools(client)`, or definitions of the host's own. */
  extraTools?: readonly AnyTool[];
  /** Under whose name the log has what the tools change; default "agent". */
  actor?: string;
  metrics?: ToolMetrics;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Handed on to the AI SDK by `toolset.settings()`; 0 is no limit. */
  maxSteps?: number;
  seed?: number;
}

export interface CallOptions {
  /** Under which the log, the audit and `undo` know the call; made up when absent. */
  callId?: string;
  signal?: AbortSignal;
}

export interface Toolset {
  /** Of the active tools, in the order of their definition. */
  readonly names: readonly string[];
  readonly definitions: readonly AnyTool[];
  readonly metrics: ToolMetrics;
  readonly proposals: Proposals;
  readonly root: string;
  readonly cwd: string;
  /** Whether `handle` knows a tool by this name, an alias or a trained-in verb. */
  has(name: string): boolean;
  /** Runs a call; never throws. Aliases of other tool families are understood. */
  handle(name: string, input: unknown, options?: CallOptions): Promise<ToolResult>;
  schemas(dialect?: Dialect): Record<string, unknown>[];
  /** Declarations of the tools that a provider's models know by heart, where the tools behind them are active. */
  providerTools(provider: "anthropic" | "openai"): Record<string, unknown>[];
  /** Null: the input is right. */
  validate(name: string, input: unknown): string | null;
  usage(name: string): string;
  systemPrompt(options?: SystemPromptOptions): string;
  /** For `generateText` and `streamText`. */
  tools(): Record<string, AiTool>;
  /** `{ seed }` and how many steps, as the AI SDK takes them. */
  settings(): { seed?: number; maxSteps?: number };
  /** Switches tools off for good (or, empty, all on again), for this toolset and every later one of this workspace. */
  saveDisabled(names: readonly string[]): Promise<void>;
  audit(options?: { limit?: number; before?: number }): Promise<readonly AuditEntry[]>;
  /** Takes the messages that wait for this agent. */
  inbox(): Promise<readonly AgentMessage[]>;
}

interface FoundTool {
  tool: AnyTool;
  alias?: Alias;
}

const DEFAULT_ROOT = "/workspace";

export async function createToolset(given: ToolsetOptions): Promise<Toolset> {
  const options =
    given.store instanceof WorkspaceFileStore
      ? { ...given, workspace: given.store.workspace, store: undefined }
      : given;
  const { workspace, store, actor = "agent", now = () => Date.now() } = options;
  const state = options.state ?? stateOf(workspace) ?? new MemoryToolState();
  const limits = { ...defaultToolLimits, ...options.limits };
  const role = requireRole(options.role ?? "coder");
  const host: ToolHost = {
    ...(store === undefined ? {} : { store }),
    ...(workspace === undefined ? {} : { workspace }),
    ...{ state, limits, now, mode: options.mode ?? "direct", exec: options.exec ?? {}, deny: options.deny ?? [] },
    editRungsOff: options.editRungsOff ?? [],
    ...(options.agents === undefined ? {} : { agents: options.agents }),
    ...(options.web === undefined ? {} : { web: options.web }),
    ...(options.search === undefined ? {} : { search: options.search }),
    ...(options.exposePort === undefined ? {} : { exposePort: options.exposePort }),
    ...(options.writable === undefined ? {} : { writable: options.writable }),
  };
  const { root, cwd } = await placeOf(options);
  const paths = new ToolPaths(root, cwd, compileAccessRules(host.deny, host.writable), linksOf(workspace, store));
  const frame = {
    host,
    paths,
    recent: new RecentTexts(store === undefined && workspace?.history !== undefined),
    actor,
  };
  const metrics = options.metrics ?? new ToolMetrics();
  const recorder = { state, metrics, actor, now };

  const offered = applyDescriptions(
    [...allTools, ...(options.extraTools ?? [])].filter((tool) => tool.available?.(host) ?? true),
    options.descriptions ?? {},
  );
  const select = (disabled: readonly string[]) => {
    const off = [...(options.disabled ?? []), ...disabled];
    return selectTools(offered, { ...options, role, disabled: off });
  };
  let active = select(await state.disabledTools());
  let named = new Map(active.map((tool) => [tool.name, tool]));
  /** By every name that was asked for and there is. */
  const found = new Map<string, FoundTool>();
  const byName = (name: string) => named.get(name);
  const find = (name: string): FoundTool | undefined => {
    const known = found.get(name);
    if (known !== undefined) return known;
    const one = search(name);
    if (one !== undefined) found.set(name, one);
    return one;
  };
  /** A verb or alias may do what the tool behind it may. */
  const search = (name: string): FoundTool | undefined => {
    const own = byName(name);
    const alias = aliasFor(name);
    if (own !== undefined) return alias === undefined || alias.tool !== name ? { tool: own } : { tool: own, alias };
    const target = alias === undefined ? undefined : byName(alias.tool);
    if (target !== undefined) return { tool: target, alias };
    const verb = trainedVerbs.find((one) => one.name === name);
    return verb?.needs.every((need) => byName(need) !== undefined) ? { tool: verb } : undefined;
  };
  let calls = 0;
  const word = randomWord();
  const newCallId = () => `call-${now().toString(36)}-${(calls++).toString(36)}-${word}`;

  const handle = async (name: string, input: unknown, { callId = newCallId(), signal }: CallOptions = {}) => {
    const known = find(String(name));
    if (known === undefined) {
      const off = offered.some((tool) => tool.name === name);
      const names = active.map((tool) => tool.name);
      await record(recorder, {
        tool: String(name).slice(0, 100),
        callId,
        given: input,
        code: "UNKNOWN_TOOL",
        durationMs: 0,
        failed: true,
      });
      return errorResult(unknownTool(String(name), names, off));
    }
    const { tool, alias } = known;
    const given = alias === undefined ? input : alias.input(input);
    const result = await runCall(tool, given, callId, recorder, () =>
      callContext(frame, callId, signal, !tool.annotations.readOnly),
    );
    return alias === undefined ? result : alias.output(result);
  };

  return {
    get names() {
      return active.map(({ name }) => name);
    },
    get definitions() {
      return active;
    },
    ...{ metrics, root, cwd, handle },
    has: (name) => find(name) !== undefined,
    proposals: createProposals(frame),
    schemas: (dialect = "json") => active.map((tool) => toDialect(tool, dialect)),
    providerTools: (provider) => providerTools(provider, (name) => byName(name) !== undefined),
    validate: (name, input) => {
      const known = find(name);
      if (known === undefined)
        return unknownTool(
          name,
          active.map((tool) => tool.name),
          false,
        ).message;
      const parsed = parseInput(known.tool, known.alias === undefined ? input : known.alias.input(input));
      return parsed.ok ? null : parsed.error.message;
    },
    usage: (name) => {
      const known = find(name);
      if (known === undefined)
        throw unknownTool(
          name,
          active.map((tool) => tool.name),
          false,
        );
      return usageOf(known.tool);
    },
    systemPrompt: (prompt = {}) =>
      systemPrompt(
        active,
        { root, cwd, proposing: host.mode === "propose" },
        { ...prompt, guidance: { ...options.guidance, ...prompt.guidance } },
      ),
    tools: () =>
      Object.fromEntries(
        active.map((tool) => [
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
      ...(options.maxSteps === undefined || options.maxSteps === 0 ? {} : { maxSteps: options.maxSteps }),
    }),
    saveDisabled: async (names) => {
      const unknown = names.find(
        (name) => !offered.some((tool) => tool.name === name) && !allTools.some((tool) => tool.name === name),
      );
      if (unknown !== undefined)
        throw unknownTool(
          unknown,
          allTools.map((tool) => tool.name),
          false,
        );
      await state.saveDisabledTools(names);
      active = select(names);
      named = new Map(active.map((tool) => [tool.name, tool]));
      found.clear();
    },
    audit: (page) => state.auditLog(page),
    inbox: () => state.inbox(options.agents?.agentId ?? actor),
  };
}

/** A workspace that can remember for its tools says so with this property. */
function stateOf(workspace: ToolWorkspace | undefined): ToolState | undefined {
  return workspace?.toolState;
}

async function placeOf({
  root,
  cwd,
  workspace,
  store,
  rootMarkers,
}: ToolsetOptions): Promise<{ root: string; cwd: string }> {
  const top = workspace?.root ?? DEFAULT_ROOT;
  const start = cwd === undefined ? undefined : fold(cwd.startsWith("/") ? cwd : `${top}/${cwd}`);
  if (root !== "auto") {
    const place = root === undefined ? (workspace === undefined ? "/" : top) : fold(root);
    if (root !== undefined && !root.startsWith("/"))
      throw new ToolError("INVALID_INPUT", "root must be an absolute path.");
    if (start !== undefined && !isInside(start, place))
      throw new ToolError("INVALID_INPUT", `cwd must be inside ${place}.`);
    return { root: place, cwd: start ?? place };
  }
  const exists = async (path: string) =>
    store === undefined ? (workspace?.fs.exists(path) ?? false) : (await store.stat(path)) !== null;
  const from = start ?? top;
  const found = await findRoot(exists, from, isInside(from, top) ? top : from, rootMarkers);
  return { root: found, cwd: from };
}

function randomWord(): string {
  return crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36);
}
