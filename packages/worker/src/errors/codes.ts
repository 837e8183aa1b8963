/** Every error code of a response: the file system's and the HTTP surface's, each with its status and a hint. */
import type { FsErrorCode } from "@workspace/protocol";

export type HttpErrorCode =
  | FsErrorCode
  | "EPIPE"
  | "FORBIDDEN"
  | "INTERNAL"
  | "METHOD_NOT_ALLOWED"
  | "NOT_CONFIGURED"
  | "NO_ROUTE"
  | "OUT_OF_SCOPE"
  | "RANGE_NOT_SATISFIABLE"
  | "TIMEOUT"
  | "TOO_MANY_REQUESTS"
  | "UNAUTHORIZED"
  | "UNAVAILABLE"
  | "UNSUPPORTED_ENCODING"
  | "UNSUPPORTED_TYPE"
  | "UPGRADE_REQUIRED"
  | "UPSTREAM";

export interface CodeMeaning {
  status: number;
  /** What the client can do. */
  hint: string;
}

const COPY: CodeMeaning = { status: 409, hint: "Source and target do not fit each other." };
const RETRY = "Wait as long as Retry-After says, then send the same request again.";
const REPORT = "This is a fault of the server; its log says more.";

export const CODES: Record<HttpErrorCode, CodeMeaning> = {
  ABORT_ERR: { status: 400, hint: "The request ended before it was complete; nothing was changed." },
  EACCES: { status: 403, hint: "Only what lies under the workspace's root can be reached here." },
  EAGAIN: { status: 429, hint: RETRY },
  EBADF: { status: 409, hint: "Open the file again." },
  EBUSY: { status: 409, hint: "The workspace's root stays. Remove what is in it instead." },
  ECONFLICT: {
    status: 409,
    hint: "Something later touched the same paths. Undo that first, or ask for force or merge.",
  },
  EEXIST: { status: 409, hint: "There is something of that name already. Remove it first, or choose another name." },
  EFBIG: { status: 413, hint: "Send less at a time." },
  EGONE: { status: 410, hint: "That point of the history is no longer kept. Start again from the present state." },
  EINVAL: { status: 400, hint: "Correct the request; nothing was changed." },
  EIO: { status: 500, hint: REPORT },
  EISDIR: { status: 409, hint: "This is a directory. Name a file in it." },
  ELOOP: { status: 400, hint: "The links on this path lead in a circle." },
  EMFILE: { status: 429, hint: RETRY },
  EMLINK: { status: 409, hint: "This file has as many names as it can have." },
  ENAMETOOLONG: { status: 400, hint: "A name has at most 255 bytes, a path 4095." },
  ENOENT: { status: 404, hint: "List the directory above to see what is there." },
  ENOSPC: { status: 507, hint: "Remove something first." },
  ENOSYS: { status: 501, hint: "This server cannot do that." },
  ENOTDIR: {
    status: 409,
    hint: "A name on this path is not a directory. Without a slash at the end the file itself is meant.",
  },
  ENOTEMPTY: { status: 409, hint: "The directory is not empty. Add ?recursive=1 to remove all that is in it." },
  EPERM: { status: 403, hint: "This is not allowed." },
  EROFS: { status: 405, hint: "The past cannot be changed. Write to the present." },
  EPIPE: { status: 409, hint: "The command takes no input, or no more of it." },
  ERR_FS_CP_DIR_TO_NON_DIR: COPY,
  ERR_FS_CP_EEXIST: COPY,
  ERR_FS_CP_EINVAL: COPY,
  ERR_FS_CP_NON_DIR_TO_DIR: COPY,
  ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY: COPY,
  ERR_FS_EISDIR: { status: 409, hint: "This is a directory. Add ?recursive=1 to remove it." },
  ESTALE: {
    status: 412,
    hint: "The file is not as you know it. GET it again, and repeat the request with its new ETag.",
  },
  EVERSION: { status: 503, hint: "The workspace was written by newer code. Deploy that code again." },
  EXDEV: { status: 409, hint: "Source and target lie on different file systems." },
  FORBIDDEN: { status: 403, hint: "Local mode answers this machine only, at the address that `npm start` printed." },
  INTERNAL: { status: 500, hint: REPORT },
  METHOD_NOT_ALLOWED: { status: 405, hint: "The header Allow names what can be done here." },
  NOT_CONFIGURED: {
    status: 503,
    hint: "Run `wrangler secret put WORKSPACE_TOKEN`, or `npm start` on your own machine.",
  },
  NO_ROUTE: { status: 404, hint: "GET /api lists the routes." },
  OUT_OF_SCOPE: { status: 403, hint: "GET /api/session says what this token is for. Ask for one with a wider scope." },
  RANGE_NOT_SATISFIABLE: { status: 416, hint: "Content-Range names the file's size." },
  TIMEOUT: { status: 408, hint: "Send the body without long pauses; nothing was changed." },
  TOO_MANY_REQUESTS: { status: 429, hint: RETRY },
  UNAUTHORIZED: {
    status: 401,
    hint: "Send `Authorization: Bearer <token>` with the value of the secret WORKSPACE_TOKEN.",
  },
  UNAVAILABLE: { status: 503, hint: `The workspace did not answer, and a change may have been made or not. ${RETRY}` },
  UNSUPPORTED_ENCODING: { status: 415, hint: "Send the bytes as they are to be stored, without Content-Encoding." },
  UNSUPPORTED_TYPE: { status: 415, hint: "Send JSON, with Content-Type: application/json." },
  UPGRADE_REQUIRED: { status: 426, hint: "Connect with a WebSocket client." },
  UPSTREAM: { status: 502, hint: "Another server did not answer as it should; the message says what it said." },
};

/** Codes of transient failures. */
export const RETRYABLE: ReadonlySet<HttpErrorCode> = new Set(["EAGAIN", "EMFILE", "TOO_MANY_REQUESTS", "UNAVAILABLE"]);
