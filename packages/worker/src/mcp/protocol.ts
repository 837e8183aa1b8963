/**
 * JSON-RPC 2.0 as MCP uses it, and the supported versions of MCP. Bodies are untrusted: a message has only the fields that this
 * file has validated.
 */
import type { JsonText } from "./json-text.ts";

/** Newest first. The only difference for this server: batches, which only the oldest has. */
export const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];
/** The version of a client that declares none. */
export const ASSUMED_VERSION: ProtocolVersion = "2025-03-26";
export const BATCHES: ProtocolVersion = "2025-03-26";

export const RPC_ERRORS = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
  sessionNotFound: -32001,
  refused: -32000,
} as const;

export type RequestId = string | number;
export type Params = Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** A notification of the client: processed, never answered. */
export interface RpcNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly params: Params;
}

/** A response to a request of ours; this server sends none. */
export interface RpcAnswer {
  readonly kind: "answer";
}

export interface RpcInvalid {
  readonly kind: "invalid";
  readonly id: RequestId | null;
  readonly reason: string;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcAnswer | RpcInvalid;

export type RpcResponse =
  | { jsonrpc: "2.0"; id: RequestId; result: Record<string, unknown> | JsonText }
  | { jsonrpc: "2.0"; id: RequestId | null; error: { code: number; message: string; data?: unknown } };

/** An error with a protocol code; its message is for the client. */
export class RpcError extends Error {
  override readonly name = "RpcError";

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export function parseMessage(value: unknown): RpcMessage {
  if (!isObject(value)) return invalid(null, "a message is an object");
  const { jsonrpc, id, method, params = {} } = value;
  const known = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return invalid(known, 'jsonrpc must be "2.0"');
  if (method === undefined && known !== null && ("result" in value || "error" in value)) return { kind: "answer" };
  if (typeof method !== "string") return invalid(known, "method must be a string");
  if (!isObject(params)) return invalid(known, "params must be an object");
  if (!("id" in value)) return { kind: "notification", method, params };
  if (known === null) return invalid(null, "id must be a string or an integer");
  return { kind: "request", id: known, method, params };
}

/** The protocol version that an `initialize` requests; null: none. */
export function requestedVersion({ protocolVersion: version }: Params): string | null {
  return typeof version === "string" && version !== "" && version.length <= 64 ? version : null;
}

export function failure(id: RequestId | null, code: number, message: string, data?: unknown): RpcResponse {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(id: unknown): id is RequestId {
  return (typeof id === "string" && id.length <= 1024) || (typeof id === "number" && Number.isSafeInteger(id));
}

function invalid(id: RequestId | null, reason: string): RpcInvalid {
  return { kind: "invalid", id, reason };
}
