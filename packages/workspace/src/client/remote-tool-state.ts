/** Creates a client for the tool state of a workspace in another object. */
import { TOOL_STATE_METHODS, type ToolState } from "@workspace/protocol";
import type { RpcClient } from "./rpc-client.ts";

export function createRemoteToolState(connection: RpcClient): ToolState {
  const state: Record<string, (...args: unknown[]) => Promise<unknown>> = {};
  for (const name of TOOL_STATE_METHODS) {
    state[name] = async (...args) => (await connection.call(`tools.${name}`, args)).value;
  }
  return state as unknown as ToolState;
}
