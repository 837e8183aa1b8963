/** Checks whether a principal's token allows a route. The error names the missing scope, for the issuer of the token. */
import { refused } from "../auth/bearer-token.ts";
import type { Principal } from "../auth/principal.ts";
import { HttpError } from "../errors/http-error.ts";
import type { Access } from "./route.ts";

/** `principal` is absent only before the auth middleware: only public routes run there. */
export function authorize(principal: Principal | undefined, access: Access, name: string): void {
  if (access === "public") return;
  if (principal === undefined) throw refused("this needs a bearer token");
  if (access === "authenticated") return;
  const { scope } = principal;
  if (scope.workspace !== undefined && (access === "admin" || scope.workspace !== name)) {
    throw new HttpError("OUT_OF_SCOPE", `this token is for the workspace "${scope.workspace}" alone`);
  }
  if (scope.readOnly && access !== "read") throw new HttpError("OUT_OF_SCOPE", "this token is for reading alone");
}
