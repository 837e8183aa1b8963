/**
 * The one shape of every refusal: `{ error: { code, message, path?, hint } }`. An error that nobody foresaw is told to the log, and
 * to the client only that it happened.
 */
import { FsError, WorkspaceRpcError } from "@cloudflare/workspace";
import { CODES, type HttpErrorCode, PASSING } from "./codes.ts";
import { HttpError } from "./http-error.ts";

export interface ErrorBody {
  error: { code: HttpErrorCode; message: string; path?: string; hint: string };
}

export function errorResponse(error: unknown): Response {
  const { code, message, path, hint, headers } = understood(error);
  const meaning = CODES[code];
  const body: ErrorBody = {
    error: { code, message, ...(path === undefined ? {} : { path }), hint: hint ?? meaning.hint },
  };
  const retry: Record<string, string> = PASSING.has(code) ? { "Retry-After": "1" } : {};
  return Response.json(body, { status: meaning.status, headers: { ...retry, ...headers } });
}

function understood(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof FsError) return new HttpError(error.code, error.message, { path: error.path });
  console.error(error);
  if (error instanceof WorkspaceRpcError && error.code === "ERR_WORKSPACE_TRANSPORT") {
    return new HttpError("UNAVAILABLE", "the workspace could not be reached");
  }
  return new HttpError("INTERNAL", "something went wrong");
}
