import { Agent } from "./agent.ts";

export { Agent };

/** Each request adds a note to the workspace of its user. */
export default {
  async fetch(request: Request, env: { AGENT: DurableObjectNamespace<Agent> }): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const agent = env.AGENT.getByName(searchParams.get("user") ?? "me");
    return new Response(await agent.note(decodeURIComponent(pathname.slice(1))));
  },
};
