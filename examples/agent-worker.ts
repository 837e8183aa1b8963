import { Agent } from "./agent.ts";

export { Agent };

/** The Worker in front of the object: each request is a note in the caller's own workspace. */
export default {
  async fetch(request: Request, env: { AGENT: DurableObjectNamespace<Agent> }): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const agent = env.AGENT.getByName(searchParams.get("user") ?? "me");
    return new Response(await agent.note(decodeURIComponent(pathname.slice(1))));
  },
};
