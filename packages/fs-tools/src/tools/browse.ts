/** `browse`: exposes a port of the workspace's container, and returns its address. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { answer } from "../definition/tool-result.ts";

export const browseTool = defineTool({
  name: "browse",
  group: "shell",
  description: "Expose a port on which a server runs, and return its public URL.",
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  schema: z.strictObject({ port: z.number().int().min(1).max(65_535) }),
  available: (host) => host.exposePort !== undefined,
  handler: async ({ port }, ctx) => {
    const { url } = await ctx.host.exposePort!(port);
    return answer({ port, url });
  },
});
