/**
 * Claims signed by the deployment's secret (HMAC-SHA-256): scoped tokens, sessions, previews. The purpose is part of the signed
 * text, so one kind never passes for another and the secret is never used as any other key. Changing the secret invalidates them
 * all.
 */
import { fromBase64url, toBase64url } from "../http/base64url.ts";

export type Purpose = "token" | "session" | "preview-link" | "preview";

export interface Claims {
  /** Identifies this token in the log. */
  id: string;
  /** Id of the first token that this one derives from, if any: both share one rate limit and one number of sessions. */
  root?: string;
  /** Limits it to this workspace. */
  workspace?: string;
  readOnly?: true;
  /** Seconds since 1970. */
  expires?: number;
  /** Of previews. */
  port?: number;
  /** Of a preview link: the latest expiry of the cookie it is exchanged for, in seconds since 1970. */
  until?: number;
}

/** Prefix of every signed text. */
const MARK = "wss";
const encoder = new TextEncoder();

export async function signClaims(secret: string, purpose: Purpose, claims: Claims): Promise<string> {
  const payload = toBase64url(encoder.encode(JSON.stringify(claims)));
  const mac = await crypto.subtle.sign("HMAC", await cachedKey(secret), signedText(purpose, payload));
  return `${MARK}.${payload}.${toBase64url(new Uint8Array(mac))}`;
}

/** Returns the claims if this secret signed them for this purpose and they have not expired; otherwise null. */
export async function verifyClaims(
  secret: string,
  purpose: Purpose,
  text: string,
  nowMs: number,
): Promise<Claims | null> {
  const [mark, payload, mac, ...rest] = text.split(".");
  if (mark !== MARK || payload === undefined || mac === undefined || rest.length > 0) return null;
  const given = fromBase64url(mac);
  // `verifyClaims` compares in constant time.
  if (
    given === null ||
    !(await crypto.subtle.verify("HMAC", await cachedKey(secret), given, signedText(purpose, payload)))
  )
    return null;
  const claims = JSON.parse(new TextDecoder().decode(fromBase64url(payload) ?? new Uint8Array())) as Claims;
  return claims.expires !== undefined && claims.expires * 1000 <= nowMs ? null : claims;
}

/** The deployment has one secret; an isolate sees it change only when it is replaced. */
let known: { secret: string; key: CryptoKey } | null = null;

async function cachedKey(secret: string): Promise<CryptoKey> {
  // Caches the key, never its promise: one request must not wait for another's.
  if (known?.secret === secret) return known.key;
  const key = await importKey(secret);
  known = { secret, key };
  return key;
}

function importKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
}

function signedText(purpose: Purpose, payload: string): Uint8Array {
  return encoder.encode(`workspace ${purpose} 1\n${payload}`);
}
