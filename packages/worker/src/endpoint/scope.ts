/** What a visitor's token allows on a route. The answer names the bound, so that whoever made the token too narrow sees it. */
import type { Visitor } from "../auth/visitor.ts";
import { HttpError } from "../errors/http-error.ts";
import type { Access } from "./endpoint.ts";

export function requireScope({ scope }: Visitor, access: Access, name: string): void {
  if (access === "any" || access === "stranger") return;
  if (scope.workspace !== undefined && (access === "admin" || scope.workspace !== name)) {
    throw new HttpError("OUT_OF_SCOPE", `this token is for the workspace "${scope.workspace}" alone`);
  }
  if (scope.readOnly && access !== "read") throw new HttpError("OUT_OF_SCOPE", "this token is for reading alone");
}
