/** Validates a client's parameters; an invalid one is refused by name. */
import { isObject, type Params, RPC_ERRORS, RpcError } from "./protocol.ts";

export function textParam(params: Params, name: string, max: number): string {
  const value = params[name];
  if (typeof value === "string" && value.length > 0 && value.length <= max && value.isWellFormed()) return value;
  throw new RpcError(RPC_ERRORS.invalidParams, `${name} must be a string of 1 to ${max} characters`);
}

export function optionalTextParam(params: Params, name: string, max: number): string | undefined {
  return params[name] === undefined ? undefined : textParam(params, name, max);
}

export function objectParam(params: Params, name: string): Record<string, unknown> {
  const value = params[name] ?? {};
  if (isObject(value)) return value;
  throw new RpcError(RPC_ERRORS.invalidParams, `${name} must be an object`);
}
