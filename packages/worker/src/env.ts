/** The Worker's environment, and what the auth middleware adds to each request's context. */
import type { WorkspaceNamespace } from "@cloudflare/workspace";
import type { Principal } from "./auth/principal.ts";
import type { RegistryObject } from "./registry/registry-object.ts";

export interface Env {
  /** Of `HttpWorkspaceObject`. */
  WORKSPACE: WorkspaceNamespace;
  REGISTRY: DurableObjectNamespace<RegistryObject>;
  /** The studio's build; absent where only the API is served. */
  ASSETS?: Fetcher;
  /** The secret: `wrangler secret put WORKSPACE_TOKEN`. One with fewer than 32 characters counts as none. */
  WORKSPACE_TOKEN?: string;
  /** Requests per second that one token may make on average, with a burst of five times as many; default 500. */
  WORKSPACE_RATE?: string;
  /** Globs of files hidden from the agent tools and from a container, separated by white space: ".env *.pem". */
  WORKSPACE_DENY?: string;
  /** Deployed: previews are at `<something>.<PREVIEW_HOST>`. Must not be the API's own host, nor above it. */
  PREVIEW_HOST?: string;
  /** "1" is local mode: no token, this machine only. Set by `npm start` alone, never in wrangler.toml. */
  WORKSPACE_LOCAL?: string;
  /** With local mode: the key that the proxy of `npm start` (local/host-check-proxy.mjs) sets on every request that it forwards. */
  WORKSPACE_LOCAL_KEY?: string;
}

/** Hono's types for this app. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    principal: Principal;
    /** The response already has its common headers and is passed on unchanged. */
    complete?: true;
  };
}
