/** What a visitor's token allows on a route. The answer names the bound, so that whoever made the token too narrow sees it. */
import { refused } from "../auth/bearer-token.ts";
import type { Visitor } from "../auth/visitor.ts";
import { HttpError } from "../errors/http-error.ts";
import type { Access } from "./endpoint.ts";

/** `visitor` is absent in front of the auth middleware alone: there only what needs no credential runs. */
export function requireScope(visitor: Visitor | undefined, access: Access, name: string): void {
  if (access === "stranger") return;
  if (visitor === undefined) throw refused("this needs a bearer token");
  if (access === "any") return;
  const { scope } = visitor;
  if (scope.workspace !== undefined && (access === "admin" || scope.workspace !== name)) {
    throw new HttpError("OUT_OF_SCOPE", `this token is for the workspace "${scope.workspace}" alone`);
  }
  if (scope.readOnly && access !== "read") throw new HttpError("OUT_OF_SCOPE", "this token is for reading alone");
}
