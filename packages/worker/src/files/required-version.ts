/** From a request's conditions to the `ifVersion` of the verb that carries it out: judged by what was found, held to it in the commit. */
import { HttpError } from "../errors/http-error.ts";
import { evaluateWrite, isConditional, parsePreconditions } from "../http/preconditions.ts";
import type { MissingPath, ResolvedPath } from "./resolve-path.ts";

/** What to hold the verb to: undefined for anything, null for nothing there. Throws when the present state will not do. */
export function requiredVersion(
  headers: Headers,
  requested: string,
  at: ResolvedPath | MissingPath,
): string | null | undefined {
  const preconditions = parsePreconditions(headers);
  const present = at.stat === null ? null : { version: at.stat.version, modifiedMs: at.stat.mtimeMs };
  if (evaluateWrite(preconditions, present) === "failed") {
    throw new HttpError("ESTALE", "what is there is not what the request's conditions demand", { path: requested });
  }
  return isConditional(preconditions) ? (present?.version ?? null) : undefined;
}
