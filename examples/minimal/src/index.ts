import type { Agent } from "./agent";

export { Agent } from "./agent";

interface Env {
  AGENT: DurableObjectNamespace<Agent>;
  API_TOKEN?: string;
}

/** `POST /<agent>/tools/<tool>`, `POST /<agent>/undo/<callId>` and `GET /<agent>/tools`. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (!isAuthorized(request, env.API_TOKEN)) return new Response("Unauthorized\n", { status: 401 });
    const [, name = "", action = "", argument = ""] = new URL(request.url).pathname.split("/");
    const agent = env.AGENT.getByName(name);
    if (request.method === "GET" && action === "tools") return Response.json(await agent.tools());
    if (request.method === "POST" && action === "undo") return Response.json(await agent.undo(argument));
    if (request.method === "POST" && action === "tools") {
      const callId = crypto.randomUUID();
      const answer = await agent.callTool(argument, await request.json(), callId);
      return Response.json(answer, { headers: { "Call-Id": callId } });
    }
    return new Response("Not found\n", { status: 404 });
  },
};

/** Without a token nothing is served. The comparison takes as long for a wrong token as for the right one. */
function isAuthorized(request: Request, token = ""): boolean {
  const encoder = new TextEncoder();
  const expected = encoder.encode(`Bearer ${token}`);
  const given = encoder.encode(request.headers.get("Authorization") ?? "");
  if (token === "" || given.byteLength !== expected.byteLength) return false;
  return crypto.subtle.timingSafeEqual(given, expected);
}
