/** The public address of a port: on its own hostname, with a fresh link that opens it once. */
import type { Scope } from "../api/session.ts";
import type { Env } from "../env.ts";
import { hostnameFor, previewBase } from "./preview-host.ts";
import { LINK_PARAMETER, signPreviewLink } from "./preview-ticket.ts";

/** Where this deployment serves previews, from the request for a preview. Plain data: it crosses to the object. */
export interface PreviewOrigin {
  protocol: string;
  base: string;
  /** Expiry of the requesting token, in seconds since 1970. */
  until?: number;
}

/** Null: this deployment has no hostname for previews. */
export function previewOrigin(
  { origin, host }: { origin: string; host: string | null },
  env: Env,
  { expiresAt }: Scope,
): PreviewOrigin | null {
  const base = previewBase(host, env);
  if (base === null) return null;
  const until = expiresAt === undefined ? {} : { until: Math.floor(expiresAt / 1000) };
  return { protocol: new URL(origin).protocol, base, ...until };
}

/** The path and query of a URL, as a reference that stays on its host: browsers read a hostname after two slashes. */
export function ownReference({ pathname, search, hash }: URL): string {
  return `/${pathname.replace(/^[/\\]+/, "")}${search}${hash}`;
}

export async function previewUrl(
  env: Env,
  workspace: string,
  port: number,
  { protocol, base, until }: PreviewOrigin,
): Promise<string> {
  const link = await signPreviewLink(env, { workspace, port, until }, Date.now());
  return `${protocol}//${await hostnameFor(workspace, port, base)}/?${LINK_PARAMETER}=${link}`;
}
