/**
 * Sends one request to the Worker. Every request has a header of ours, which a page of another origin cannot send without a
 * preflight: with it, and the cookie's SameSite, no other site can act as the signed-in user.
 */
import { asApiError, errorOf } from "./api-error.ts";

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "DELETE" | "HEAD";
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

type Watcher = (status: number) => void;
const watchers = new Set<Watcher>();

/** Reports the status of every error response: the session watches for 401. */
export function onApiError(watcher: Watcher): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = "GET", json, body, headers = {}, signal } = options;
  const init: RequestInit = {
    method,
    headers: { "X-Workspace-Request": "studio", "X-Workspace-Actor": "studio", ...headers },
    credentials: "same-origin",
    signal,
  };
  if (json !== undefined) {
    init.body = JSON.stringify(json);
    init.headers = { "Content-Type": "application/json", ...(init.headers as Record<string, string>) };
  } else if (body !== undefined) init.body = body;
  const response = await fetch(path + queryString(options.query), init).catch((error) => {
    if (signal?.aborted) throw error;
    throw asApiError(new Error("no connection"));
  });
  if (response.ok || response.status === 304) return response;
  for (const watcher of watchers) watcher(response.status);
  throw await errorOf(response);
}

export async function sendForJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await send(path, options)).json() as Promise<T>;
}

function queryString(query: RequestOptions["query"] = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}
