/**
 * The hostnames of previews: `p3000-<hash>.localhost:8787` in development, `p3000-<hash>.<PREVIEW_HOST>` deployed. The hash is of
 * the workspace's name, which may contain characters that a hostname may not. It is an address, not a secret; a signed ticket
 * grants access.
 */
import type { Env } from "../env.ts";

export interface PreviewHost {
  port: number;
  hash: string;
}

/** The suffix of preview hostnames here, port included; null if previews are off. */
export function previewBase(host: string | null, env: Env): string | null {
  if (env.WORKSPACE_LOCAL !== "1") return env.PREVIEW_HOST || null;
  const port = /:(\d+)$/.exec(host ?? "")?.[0] ?? "";
  return `localhost${port}`;
}

/** Null: not a preview hostname. "unknown": below the previews' domain but not a preview; the API never serves it. */
export function parsePreviewHost(request: Request, env: Env): PreviewHost | "unknown" | null {
  const base = previewBase(request.headers.get("Host"), env);
  if (base === null) return null;
  const name = hostname(base);
  const host = hostname(request.headers.get("Host") ?? new URL(request.url).host);
  if (name === null || !host?.endsWith(`.${name}`)) return null;
  // A request line may name another host than the header; later code that reads the URL must see the same host.
  if (hostname(new URL(request.url).host) !== host) return "unknown";
  const match = /^p(\d{1,5})-([0-9a-f]{20})$/.exec(host.slice(0, -name.length - 1));
  if (match === null) return "unknown";
  return { port: Number(match[1]), hash: match[2] as string };
}

/** The canonical form of a hostname: lower case, ASCII, without port and final dot. Null: not a hostname. */
function hostname(host: string): string | null {
  const url = URL.parse(`http://${host}/`);
  return url === null || url.username !== "" ? null : url.hostname.replace(/\.$/, "");
}

export async function hostnameFor(workspace: string, port: number, base: string): Promise<string> {
  return `p${port}-${await workspaceHash(workspace)}.${base}`;
}

export async function workspaceHash(workspace: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(workspace)));
  return [...digest.subarray(0, 10)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
