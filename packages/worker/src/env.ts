/** The Worker's environment, and what the auth middleware adds to each request's context. */
import type { WorkspaceNamespace } from "@cloudflare/workspace";
import type { Principal } from "./auth/principal.ts";
import type { McpSessionObject } from "./mcp/session-object.ts";
import type { RegistryObject } from "./registry/registry-object.ts";

export interface Env {
  /** Of `HttpWorkspaceObject`. */
  WORKSPACE: WorkspaceNamespace;
  REGISTRY: DurableObjectNamespace<RegistryObject>;
  MCP_SESSION: DurableObjectNamespace<McpSessionObject>;
  /** The studio's build; absent where only the API is served. */
  ASSETS?: Fetcher;
  /** The secret: `wrangler secret put WORKSPACE_TOKEN`. One with fewer than 32 characters counts as none. */
  WORKSPACE_TOKEN?: string;
  /** Requests a second that one token may make in the long run, and five times as many at once; default 500. */
  WORKSPACE_RATE?: string;
  /** Globs of what the agent tools must not see, separated by white space: ".env *.pem". Neither does a container get it. */
  WORKSPACE_DENY?: string;
  /** Deployed: previews are at `<something>.<PREVIEW_HOST>`. Must not be the API's own host, nor above it. */
  PREVIEW_HOST?: string;
  /** "1" is local mode: no token, this machine only. Set by `npm start` alone, never in wrangler.toml. */
  WORKSPACE_LOCAL?: string;
  /** With local mode: what the gate of `npm start` (local/host-check-proxy.mjs) stamps on every request that it lets through. */
  WORKSPACE_LOCAL_KEY?: string;
}

/** Hono's types for this app. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    principal: Principal;
    /** The answer has its common headers already, and is passed on as it is. */
    complete?: true;
  };
}
