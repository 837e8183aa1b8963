/** `Authorization: Bearer <token>`: the secret `WORKSPACE_TOKEN` itself, or a scoped token that it signed. */
import { HttpError } from "../errors/http-error.ts";
import { sameSecret } from "./same-secret.ts";
import { type Claims, verify } from "./signed.ts";
import { EVERYTHING, type Visitor } from "./visitor.ts";

export async function requireToken(headers: Headers, secret: string, nowMs: number): Promise<Visitor> {
  const match = /^bearer +([^\s,]+) *$/i.exec(headers.get("Authorization") ?? "");
  if (match?.[1] === undefined) throw refused("this needs a bearer token");
  const visitor = await visitorOf(match[1], secret, nowMs);
  if (visitor === null) throw refused("the bearer token is not the right one, or its time is over");
  return visitor;
}

/** Whom a token lets in; null: nobody. */
export async function visitorOf(token: string, secret: string, nowMs: number): Promise<Visitor | null> {
  if (sameSecret(token, secret)) return { actor: "http", via: "token", scope: EVERYTHING, holder: "secret" };
  const claims = await verify(secret, "token", token, nowMs);
  return claims === null ? null : { ...visitorWith(claims), via: "token" };
}

export function visitorWith({ id, workspace, readOnly, expires }: Claims): Omit<Visitor, "via"> {
  return {
    actor: id === "" ? "http" : `http:${id}`,
    scope: {
      ...(workspace === undefined ? {} : { workspace }),
      readOnly: readOnly === true,
      ...(expires === undefined ? {} : { expiresAt: expires * 1000 }),
    },
    holder: id === "" ? "secret" : id,
  };
}

export function refused(message: string): HttpError {
  return new HttpError("UNAUTHORIZED", message, { headers: { "WWW-Authenticate": 'Bearer realm="workspace"' } });
}
