/**
 * What the tools stand on beside the workspace, the same for the tools and for the calls beneath them: a web that answers in the same
 * isolate, a runner of sub-agents that says one word, and the state that some rows start from.
 */
import { exports } from "cloudflare:workers";
import type { AgentRunner, FetchOptions, SearchOptions, ToolLimits } from "@cloudflare/fs-tools";
import type { Workspace } from "@cloudflare/workspace";
import { pageResponse } from "./page-response.ts";

const ADDRESS = "93.184.215.14";
/** Hosts that are answered on the spot. */
const ON_THE_SPOT = ["https://example.com/", "https://api.search.brave.com/"];

/**
 * No network in the clock. A request goes through workerd to this Worker and back, its body as a stream, as every `fetch` does before
 * there is a network; some hosts make none, to show what a tool does by itself.
 */
export const webFetch = (async (input: RequestInfo | URL, init?: RequestInit) => {
  const url = String(input);
  const path = url.slice(url.indexOf("/", "https://".length));
  if (ON_THE_SPOT.some((host) => url.startsWith(host))) return pageResponse(path);
  return loopback.default.fetch(`https://bench.invalid/page${path}`, init);
}) as typeof fetch;

const loopback = exports as unknown as { default: Fetcher };

export const web: FetchOptions = { fetch: webFetch, resolve: async () => [ADDRESS] };
export const search: SearchOptions = { fetch: webFetch, provider: "tavily", keys: { tavily: "a-key", brave: "a-key" } };
export const runner: AgentRunner = async () => ({ text: "done" });
export const exposePort = async (port: number) => ({ url: `https://${port}.example.com/` });
export const AGENT = "bench";

/** A row makes more calls than an agent may: what is counted is their cost. */
export const limits: Partial<ToolLimits> = {
  agentsPerParent: 1_000_000,
  messageQueue: 1_000_000,
  messagesPerMinute: 1_000_000,
};

export const UNDONE = "/workspace/undone";
export const REPOSITORY = "/workspace/repository";
export const COMMAND = "bench-command";

/** What a row needs to be there, by the tool's name; not timed. */
export const preparations: Readonly<Record<string, (workspace: Workspace, calls: number) => Promise<void>>> = {
  undo: async (workspace, calls) => {
    await workspace.fs.mkdir(UNDONE, { recursive: true });
    for (let i = 0; i < calls; i++)
      await workspace.as({ actor: AGENT, callId: `undo-${i}` }).fs.writeFile(`${UNDONE}/f${i}`, "text\n");
  },
  git: async (workspace) => {
    await workspace.fs.mkdir(REPOSITORY, { recursive: true });
    await workspace.fs.writeFile(`${REPOSITORY}/file`, "text\n");
    for (const argv of [
      ["init", "-q"],
      ["add", "."],
      ["commit", "-qm", "first"],
    ])
      await workspace.git.cli({ argv, cwd: REPOSITORY });
  },
  exec_output: async (workspace) => {
    const handle = await workspace.shell.exec("echo hello", { id: COMMAND, encoding: "utf8" });
    await handle.result();
  },
};
