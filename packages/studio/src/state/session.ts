/** The signed-in user. A server in local mode needs no sign-in on this machine; a server without sessions is treated the same. */
import { signal } from "@preact/signals";
import { type ApiError, asApiError } from "../api/api-error.ts";
import { onApiError } from "../api/request.ts";
import { readSession, type SessionResponse, signIn, signOut } from "../api/session.ts";

export type Session =
  | { state: "asking" }
  | { state: "out" }
  | { state: "in"; who: SessionResponse }
  | { state: "failed"; error: ApiError };

export const session = signal<Session>({ state: "asking" });

onApiError((status) => {
  if (status === 401 && session.value.state === "in") session.value = { state: "out" };
});

export async function loadSession(): Promise<void> {
  session.value = { state: "asking" };
  try {
    session.value = { state: "in", who: await readSession() };
  } catch (failure) {
    const error = asApiError(failure);
    if (error.status === 401) session.value = { state: "out" };
    else if (error.missing) session.value = { state: "in", who: { local: true, actor: "http:local", readOnly: false } };
    else session.value = { state: "failed", error };
  }
}

/** Throws the server's error if the token is invalid. */
export async function startSession(token: string): Promise<void> {
  session.value = { state: "in", who: await signIn(token) };
}

export async function endSession(): Promise<void> {
  await signOut();
  session.value = { state: "out" };
}

export function mayWrite(): boolean {
  return session.value.state === "in" && !session.value.who.readOnly;
}
