/**
 * The shape of every error response: `{ error: { code, message, path?, hint } }`. An unexpected error is logged in full; the client
 * learns only that it happened.
 */
import { FsError, WorkspaceRpcError } from "@cloudflare/workspace";
import { ArchiveError } from "@workspace/archive";
import { ShellError } from "@workspace/shell/errors";
import type { Conflict } from "@workspace/vfs";
import { CODES, type HttpErrorCode, RETRYABLE } from "./codes.ts";
import { HttpError } from "./http-error.ts";

export interface ErrorBody {
  error: {
    code: HttpErrorCode;
    message: string;
    path?: string;
    hint: string;
    /** With ECONFLICT: the changes that block it. */
    conflicts?: readonly Conflict[];
  };
}

export function errorResponse(error: unknown): Response {
  const known = toHttpError(error);
  const { code, headers } = known;
  const body = toErrorBody(known);
  const meaning = CODES[code];
  const retry: Record<string, string> = RETRYABLE.has(code) ? { "Retry-After": "1" } : {};
  return Response.json(body, { status: meaning.status, headers: { ...retry, ...headers } });
}

/** The error body, for a stream or a socket whose response has already begun. */
export function errorBody(error: unknown): ErrorBody {
  return toErrorBody(toHttpError(error));
}

function toErrorBody({ code, message, path, hint, conflicts }: HttpError): ErrorBody {
  const more = { ...(path === undefined ? {} : { path }), ...(conflicts === undefined ? {} : { conflicts }) };
  return { error: { code, message, ...more, hint: hint ?? CODES[code].hint } };
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  // For an invalid cursor, the file system's path is the cursor.
  if (error instanceof FsError) {
    const { code, message, path, conflicts } = error;
    return new HttpError(code, message, { ...(path?.startsWith("/") ? { path } : {}), conflicts });
  }
  if (error instanceof ShellError) return new HttpError(error.code, error.message, { hint: SHELL_HINTS[error.code] });
  if (error instanceof ArchiveError)
    return new HttpError(error.code, error.message, { hint: ARCHIVE_HINTS[error.code], cause: error });
  const container = fromContainer(error);
  if (container !== null) return container;
  console.error(error);
  if (error instanceof WorkspaceRpcError && error.code === "ERR_WORKSPACE_TRANSPORT") {
    return new HttpError("UNAVAILABLE", "the workspace could not be reached");
  }
  return new HttpError("INTERNAL", "something went wrong");
}

/** Errors between a workspace and its container keep their own message. */
function fromContainer(error: unknown): HttpError | null {
  const reported = error instanceof WorkspaceRpcError ? error.cause : error;
  if (!(reported instanceof Error) || reported.name !== "ContainerError") return null;
  const code = /^([A-Z]+): /.exec(reported.message)?.[1];
  const own = code === "EINVAL" || code === "ENOENT" || code === "EEXIST" || code === "EPIPE";
  return new HttpError(own ? code : "UPSTREAM", reported.message, { cause: error });
}

const ARCHIVE_HINTS: Record<ArchiveError["code"], string> = {
  EINVAL: "Nothing was unpacked.",
  EFBIG: "Send it in parts; nothing was unpacked.",
};

/** Codes that mean something else for a command than for a file. */
const SHELL_HINTS: Partial<Record<ShellError["code"], string>> = {
  ENOENT: "GET exec lists the executions that are remembered.",
  EBUSY: "It still runs. Kill it first, or wait for its end.",
  EEXIST: "Choose another id.",
  ENOSYS:
    "Here commands run in the Worker, where nothing can listen. With a container it works: `npm run daemon:build`, then `npx wrangler deploy --env containers`.",
};
