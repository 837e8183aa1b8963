/** Previews of the container's listening ports. */
import type { Port, PortsResponse } from "@workspace/worker/api";
import { workspaceUrl } from "./path.ts";
import { send, sendForJson } from "./request.ts";

export type { Port };

export async function listPorts(workspace: string, signal?: AbortSignal): Promise<Port[]> {
  return (await sendForJson<PortsResponse>(workspaceUrl(workspace, "ports"), { signal })).ports;
}

export function openPort(workspace: string, port: number): Promise<Port> {
  return sendForJson(workspaceUrl(workspace, "ports"), { method: "POST", json: { port } });
}

export async function closePort(workspace: string, port: number): Promise<void> {
  await send(workspaceUrl(workspace, `ports/${port}`), { method: "DELETE" });
}
