export { WorkspaceObject } from "@cloudflare/workspace";

export default { fetch: () => new Response(null, { status: 404 }) };
