/** What a method threw as an error of the protocol: a refusal with its code, anything else as "something went wrong", with the rest in the log. */
import { errorBody } from "../../errors/error-response.ts";
import { RPC_ERRORS, RpcError } from "./protocol.ts";

export function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const { code, message, hint, path } = errorBody(error).error;
  const known = code === "INTERNAL" ? RPC_ERRORS.internal : RPC_ERRORS.refused;
  return new RpcError(known, message, { code, hint, path });
}
