/** Who one is here. */
import type { SessionAnswer } from "@workspace/worker/api";
import { send, sendForJson } from "./request.ts";

export type { SessionAnswer };

export function readSession(): Promise<SessionAnswer> {
  return sendForJson("/api/session");
}

export function signIn(token: string): Promise<SessionAnswer> {
  return sendForJson("/api/session", { method: "POST", json: { token } });
}

export async function signOut(): Promise<void> {
  await send("/api/session", { method: "DELETE" });
}
