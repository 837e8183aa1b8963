/** Types of host-check-proxy.mjs, which is plain JavaScript so that `npm start` runs on any Node. */
import type { Server } from "node:http";

export interface GateOptions {
  /** Where people come in; 0 for a free port. */
  port: number;
  /** Where `wrangler dev` listens, on 127.0.0.1. */
  upstreamPort: number;
  /** Stamped on what is let through; the Worker has it as WORKSPACE_LOCAL_KEY. */
  key: string;
}

/** Resolves when it listens; rejects with Node's error (EADDRINUSE) when it cannot. */
export function startHostCheckProxy(options: GateOptions): Promise<Server>;
