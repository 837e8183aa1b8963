/**
 * Dispatches one message or a batch to its methods. The response is JSON; if a method is slow and the client accepts SSE, it is a
 * stream that ends with the same response. An exception of a method becomes a protocol error.
 */

import { asRpcError } from "./as-rpc-error.ts";
import { EventStream } from "./event-stream.ts";
import { JsonText } from "./json-text.ts";
import { MCP_LIMITS } from "./limits.ts";
import type { McpContext } from "./mcp-context.ts";
import { METHODS } from "./methods.ts";
import {
  BATCHES,
  failure,
  type ProtocolVersion,
  parseMessage,
  RPC_ERRORS,
  type RpcMessage,
  type RpcResponse,
} from "./protocol.ts";

export interface TransportOptions {
  readonly version: ProtocolVersion;
  /** The client accepts SSE. */
  readonly streams: boolean;
}

export async function dispatch(
  call: McpContext,
  body: unknown,
  { version, streams }: TransportOptions,
): Promise<Response> {
  if (!Array.isArray(body)) return answerOne(call, parseMessage(body), streams);
  if (version !== BATCHES) return refused("batches are not part of this version of MCP");
  if (body.length === 0 || body.length > MCP_LIMITS.batch)
    return refused(`a batch has 1 to ${MCP_LIMITS.batch} messages`);
  const messages = body.map(parseMessage);
  // Opening a session needs a request of its own.
  if (messages.some((message) => message.kind === "request" && message.method === "initialize"))
    return refused("initialize comes alone");
  const answers: RpcResponse[] = [];
  // Sequentially: the second may read what the first writes.
  for (const message of messages) {
    const answer = await runMethod(call, message);
    if (answer !== null) answers.push(answer);
  }
  return answers.length === 0 ? accepted() : Response.json(answers);
}

async function answerOne(call: McpContext, message: RpcMessage, streams: boolean): Promise<Response> {
  if (message.kind === "invalid")
    return Response.json(failure(message.id, RPC_ERRORS.invalidRequest, message.reason), { status: 400 });
  if (message.kind !== "request") return accepted();
  const working = runMethod(call, message);
  const answer = streams ? await beforeJsonTimeout(working) : await working;
  if (answer !== "slow") return JsonText.response(answer);
  const stream = new EventStream();
  void working.then((late) => {
    stream.send(late);
    stream.end();
  });
  return stream.response();
}

/** Never rejects. Null: no response. */
async function runMethod(call: McpContext, message: RpcMessage): Promise<RpcResponse | null> {
  if (message.kind === "invalid") return failure(message.id, RPC_ERRORS.invalidRequest, message.reason);
  if (message.kind !== "request") return null;
  const { id, method, params } = message;
  const run = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (run === undefined) return failure(id, RPC_ERRORS.methodNotFound, `there is no method "${method.slice(0, 100)}"`);
  try {
    return { jsonrpc: "2.0", id, result: await run(call, params) };
  } catch (error) {
    const { code, message: words, data } = asRpcError(error);
    return failure(id, code, words, data);
  }
}

async function beforeJsonTimeout<T>(working: Promise<T>): Promise<T | "slow"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slow = new Promise<"slow">((wake) => {
    timer = setTimeout(() => wake("slow"), MCP_LIMITS.jsonTimeoutMs);
  });
  return Promise.race([working, slow]).finally(() => clearTimeout(timer));
}

function accepted(): Response {
  return new Response(null, { status: 202 });
}

function refused(message: string): Response {
  return Response.json(failure(null, RPC_ERRORS.invalidRequest, message), { status: 400 });
}
