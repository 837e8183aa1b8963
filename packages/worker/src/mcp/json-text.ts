/** A result that is already JSON: it goes into the response unchanged, and is parsed only when its fields are needed. */
import type { RpcResponse } from "./protocol.ts";

export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }

  static response(answer: RpcResponse | null): Response {
    if (answer === null || !("result" in answer) || !(answer.result instanceof JsonText)) return Response.json(answer);
    const text = `{"jsonrpc":"2.0","id":${JSON.stringify(answer.id)},"result":${answer.result.text}}`;
    return new Response(text, { headers: { "Content-Type": "application/json" } });
  }
}
