/** Turns a request's conditions into the verb's `ifVersion`: evaluated on the current state, and checked again in the commit. */
import { HttpError } from "../../errors/http-error.ts";
import { evaluateWrite, isConditional, parsePreconditions } from "../../http/preconditions.ts";
import type { MissingPath, ResolvedPath } from "./resolve-path.ts";

/** The verb's `ifVersion`: undefined for any state, null if nothing may exist. Throws if the current state fails the conditions. */
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
