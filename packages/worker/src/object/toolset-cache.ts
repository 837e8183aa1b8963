/**
 * The agent's tools beside the data: a tool asks the file system many small questions, and here each is a call and not a round trip.
 * The Worker says who calls and what they may do; the answer is plain data. The tools are loaded when they are used, being the heaviest
 * part of the script, and kept for who comes back.
 */
import type { Dialect, ToolResult, Toolset } from "@cloudflare/fs-tools";
import type { Workspace } from "@cloudflare/workspace";
import type { Env } from "../env.ts";
import { deniedGlobs } from "../model-policy.ts";
import { type PreviewOrigin, previewUrl } from "../preview-address/preview-url.ts";

export interface ToolPrincipal {
  /** Of the principal; what the tools change is logged as `<actor>/<authMethod>`. */
  actor: string;
  via: string;
  /** Only tools that change nothing. */
  readOnly: boolean;
  /** Where the caller would see a port; null: nowhere, and there is no `browse`. */
  previews?: PreviewOrigin | null;
}

export interface ToolsetSource {
  workspace: Workspace;
  /** Of the workspace. */
  name: string;
  env: Env;
}

export interface ToolList {
  /** In the dialect that was asked for, as JSON: it is made once and passed on as it is. */
  tools: string;
  /** What a model should know before it uses them. */
  instructions: string;
}

/** A toolset that is kept, and what was asked of it before. */
interface CachedToolset {
  toolset: Toolset;
  lists: Map<Dialect, ToolList>;
}

/** Callers whose tools are kept; beyond it the longest unused go. */
const CALLERS = 32;

export class ToolsetCache {
  readonly #place: ToolsetSource;
  /** By caller and what is switched off, in order of last use. */
  readonly #cache = new Map<string, CachedToolset>();

  constructor(place: ToolsetSource) {
    this.#place = place;
  }

  async list(caller: ToolPrincipal, dialect: Dialect): Promise<ToolList> {
    const { toolset, lists } = await this.#for(caller);
    const known = lists.get(dialect);
    if (known !== undefined) return known;
    const list = { tools: JSON.stringify(toolset.schemas(dialect)), instructions: toolset.systemPrompt() };
    lists.set(dialect, list);
    return list;
  }

  /** Null: there is no such tool for this caller, by this name or by one that other families use for it. */
  async call(
    caller: ToolPrincipal,
    name: string,
    input: Record<string, unknown>,
    callId?: string,
  ): Promise<ToolResult | null> {
    const { toolset } = await this.#for(caller);
    const isKnown = toolset.has(name) || toolset.whyUnavailable(name) !== undefined;
    return isKnown ? toolset.handle(name, input, callId === undefined ? {} : { callId }) : null;
  }

  async #for(caller: ToolPrincipal): Promise<CachedToolset> {
    const { actor, via, readOnly, previews = null } = caller;
    const disabled = await this.#place.workspace.toolState.disabledTools();
    const key = JSON.stringify([actor, via, readOnly, previews, disabled]);
    const retained = this.#cache.get(key) ?? { toolset: await toolsetFor(this.#place, caller), lists: new Map() };
    this.#cache.delete(key);
    this.#cache.set(key, retained);
    if (this.#cache.size > CALLERS) this.#cache.delete(this.#cache.keys().next().value as string);
    return retained;
  }
}

async function toolsetFor({ workspace, name, env }: ToolsetSource, caller: ToolPrincipal): Promise<Toolset> {
  const { createToolset } = await import("@cloudflare/fs-tools");
  const { actor, via, readOnly, previews = null } = caller;
  const { container } = workspace;
  const exposePort = async (port: number) => {
    await container?.exposePort(port);
    return { url: await previewUrl(env, name, port, previews as PreviewOrigin) };
  };
  return createToolset({
    workspace,
    // In full: the audit log names it, and what one caller has read is not what another has.
    actor: `${actor}/${via}`,
    role: readOnly ? "explorer" : "coder",
    deny: deniedGlobs(env),
    // In the container commands keep the workspace's rights: its tree has no denied files.
    exec: { unconfined: container !== null },
    ...(container === null || previews === null ? {} : { exposePort }),
  });
}
