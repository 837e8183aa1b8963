/** A result that is JSON already: it goes into the answer as it is, and is parsed only where somebody looks into it. */
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
