/**
 * Runs the agent's tools beside the data: a tool makes many small file-system calls, which are local here instead of round trips.
 * The Worker passes the caller and its permissions; the result is plain data. The tools are the heaviest part of the script, so
 * they are loaded on first use and cached per caller.
 */

import type { Dialect, ToolResult, Toolset } from "@cloudflare/fs-tools";
import type { Workspace } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import type { Env } from "../env.ts";
import { deniedGlobs } from "../model-policy.ts";
import { type PreviewOrigin, previewUrl } from "../preview/preview-url.ts";

export interface ToolPrincipal {
  /** Of the principal; the tools' changes are logged as `<actor>/<authMethod>`. */
  actor: string;
  via: string;
  /** Only tools that change nothing. */
  readOnly: boolean;
  /** The origin under which the caller can reach a port; null: none, and no `browse`. */
  previews?: PreviewOrigin | null;
}

export interface ToolsetSource {
  workspace: Workspace;
  /** Of the workspace. */
  name: string;
  env: Env;
}

export interface ToolList {
  /** In the requested dialect, as JSON: serialized once and passed on unchanged. */
  tools: string;
  /** Instructions for a model. */
  instructions: string;
}

/** A cached toolset and its earlier listings. */
interface CachedToolset {
  toolset: Toolset;
  lists: Map<Dialect, ToolList>;
}

/** Callers with a cached toolset; beyond it the least recently used are evicted. */
const CALLERS = 32;

export class ToolsetCache {
  readonly #place: ToolsetSource;
  /** By caller and disabled tools, in order of last use. */
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

  /** Null: this caller has no such tool, by this name or by an alias of another family. */
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
    const disabled = await this.#place.workspace[internals].toolState.disabledTools();
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
    // The full name: the audit log shows it, and callers do not share read state.
    actor: `${actor}/${via}`,
    role: readOnly ? "explorer" : "coder",
    deny: deniedGlobs(env),
    // In the container, commands keep the workspace's rights: its tree has no denied files.
    exec: { unconfined: container !== null },
    ...(container === null || previews === null ? {} : { exposePort }),
  });
}
