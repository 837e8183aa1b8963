/** `Authorization: Bearer <token>` against the secret `WORKSPACE_TOKEN`. */
import { HttpError } from "../errors/http-error.ts";
import { sameSecret } from "./same-secret.ts";

export async function requireToken(headers: Headers, secret: string): Promise<void> {
  const match = /^bearer +([^\s,]+) *$/i.exec(headers.get("Authorization") ?? "");
  if (match?.[1] === undefined) throw refused("this needs a bearer token");
  if (!(await sameSecret(match[1], secret))) throw refused("the bearer token is not the right one");
}

function refused(message: string): HttpError {
  return new HttpError("UNAUTHORIZED", message, { headers: { "WWW-Authenticate": 'Bearer realm="workspace"' } });
}
