/**
 * The deployment's secret: it authenticates the owner and signs tokens, sessions and previews. A guessable secret counts as none.
 */
import type { Env } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";

const MIN_LENGTH = 32;

export function hasSecret({ WORKSPACE_TOKEN: secret = "" }: Env): boolean {
  return secret.trim().length >= MIN_LENGTH;
}

export function requireSecret(env: Env): string {
  const { WORKSPACE_TOKEN: secret } = env;
  if (!secret) throw new HttpError("NOT_CONFIGURED", "there is no WORKSPACE_TOKEN yet");
  if (hasSecret(env)) return secret;
  throw new HttpError(
    "NOT_CONFIGURED",
    `WORKSPACE_TOKEN is too short: it must have at least ${MIN_LENGTH} characters`,
    {
      hint: "Make one with `openssl rand -hex 32`, then run `wrangler secret put WORKSPACE_TOKEN`.",
    },
  );
}
