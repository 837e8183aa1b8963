/** Reads the current session, signs in and signs out. */
import type { SessionResponse } from "@workspace/worker/api";
import { send, sendForJson } from "./request.ts";

export type { SessionResponse };

export function readSession(): Promise<SessionResponse> {
  return sendForJson("/api/session");
}

export function signIn(token: string): Promise<SessionResponse> {
  return sendForJson("/api/session", { method: "POST", json: { token } });
}

export async function signOut(): Promise<void> {
  await send("/api/session", { method: "DELETE" });
}
