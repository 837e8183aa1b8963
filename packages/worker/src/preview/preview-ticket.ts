/**
 * Access to previews. A link is signed for one workspace and port, for a few minutes, and works once: it is exchanged for a cookie
 * of that hostname, which is valid nowhere else. The API's tokens and cookies are not valid here, nor these there.
 */
import { isSessionCookie } from "../auth/session-cookie.ts";
import { type Claims, signClaims, verifyClaims } from "../auth/signed-claims.ts";
import type { Env } from "../env.ts";
import { LIMITS } from "../limits.ts";
import { type PreviewHost, workspaceHash } from "./preview-host.ts";

export const LINK_PARAMETER = "workspace-preview";
const COOKIE = "workspace-preview";

/** `until`: expiry of the requesting token, and so of the link and the cookie; in seconds since 1970. */
export async function signPreviewLink(
  env: Env,
  { workspace, port, until }: { workspace: string; port: number; until?: number },
  nowMs: number,
): Promise<string> {
  const expires = endsBy(nowMs, LIMITS.previewLinkSeconds, until);
  return signClaims(previewSecret(env), "preview-link", { id: crypto.randomUUID(), workspace, port, expires, until });
}

function endsBy(nowMs: number, seconds: number, until = Number.POSITIVE_INFINITY): number {
  return Math.min(Math.floor(nowMs / 1000) + seconds, until);
}

/** The claims of a link for this host; null if it is invalid or expired. */
export function verifyPreviewLink(env: Env, host: PreviewHost, link: string, nowMs: number): Promise<Claims | null> {
  return readFor(env, host, "preview-link", link, nowMs);
}

export async function previewCookie(env: Env, { workspace, port, until }: Claims, secure: boolean, nowMs: number) {
  const expires = endsBy(nowMs, LIMITS.previewSeconds, until);
  const maxAge = expires - Math.floor(nowMs / 1000);
  const value = await signClaims(previewSecret(env), "preview", { id: "", workspace, port, expires });
  // Lax: the link is followed from the studio, which is another site.
  return `${COOKIE}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}

export async function verifyPreviewCookie(
  env: Env,
  host: PreviewHost,
  header: string | null,
  nowMs: number,
): Promise<Claims | null> {
  for (const pair of cookiesIn(header)) {
    if (!pair.startsWith(`${COOKIE}=`)) continue;
    const claims = await readFor(env, host, "preview", pair.slice(COOKIE.length + 1), nowMs);
    if (claims !== null) return claims;
  }
  return null;
}

/** The cookies that the previewed server gets: all but ours. */
export function withoutPreviewCookie(header: string | null): string {
  return cookiesIn(header)
    .filter((pair) => !isOwnCookie(pair))
    .join("; ");
}

/**
 * Our cookies in `Cookie` or `Set-Cookie`: the preview's, or an API session, which no previewed server may see or set. A cookie
 * without a name counts as ours: browsers send it as its value alone, which may read `workspace-preview=…`.
 */
export function isOwnCookie(pair: string): boolean {
  const [first = ""] = pair.split(";", 1);
  const name = first
    .slice(0, Math.max(0, first.indexOf("=")))
    .trim()
    .toLowerCase();
  return name === "" || name === COOKIE || isSessionCookie(name);
}

async function readFor(env: Env, host: PreviewHost, purpose: "preview" | "preview-link", text: string, nowMs: number) {
  const claims = await verifyClaims(previewSecret(env), purpose, text, nowMs);
  if (claims?.workspace === undefined || claims.port !== host.port) return null;
  return (await workspaceHash(claims.workspace)) === host.hash ? claims : null;
}

function cookiesIn(header: string | null): string[] {
  return (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "");
}

/** In local mode the key of this run; without one (only in tests), a key of this isolate. */
function previewSecret(env: Env): string {
  const secret = env.WORKSPACE_LOCAL === "1" ? env.WORKSPACE_LOCAL_KEY : env.WORKSPACE_TOKEN;
  return secret || isolateSecret();
}

let created: string | undefined;
function isolateSecret(): string {
  created ??= crypto.randomUUID();
  return created;
}
