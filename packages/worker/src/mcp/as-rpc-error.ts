/** Converts an exception to a protocol error: a known error keeps its code, anything else is logged and reported as internal. */
import { errorBody } from "../errors/error-response.ts";
import { RPC_ERRORS, RpcError } from "./protocol.ts";

export function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const { code, message, hint, path } = errorBody(error).error;
  const known = code === "INTERNAL" ? RPC_ERRORS.internal : RPC_ERRORS.refused;
  return new RpcError(known, message, { code, hint, path });
}
