/** The address of a port from outside: on a hostname of its own, with a fresh link that opens it once. */
import type { Env } from "../env.ts";
import { hostnameFor, previewBase } from "./preview-host.ts";
import { LINK_PARAMETER, previewLink } from "./preview-pass.ts";

/** Where this deployment shows previews, as the request that asked for one saw it. Plain data: it crosses to the object. */
export interface PreviewPlace {
  protocol: string;
  base: string;
}

/** Null: this deployment has no hostname for previews. */
export function previewPlace(request: Request, env: Env): PreviewPlace | null {
  const base = previewBase(request, env);
  return base === null ? null : { protocol: new URL(request.url).protocol, base };
}

export async function previewUrl(
  env: Env,
  workspace: string,
  port: number,
  { protocol, base }: PreviewPlace,
): Promise<string> {
  const link = await previewLink(env, workspace, port, Date.now());
  return `${protocol}//${await hostnameFor(workspace, port, base)}/?${LINK_PARAMETER}=${link}`;
}
