/** `web_fetch` and `web_search`: untrusted pages as text, within limits. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { answer } from "../definition/tool-result.ts";
import { fetchPage } from "./web/fetch-page.ts";
import { SEARCH_PROVIDERS, searchWeb } from "./web/search-web.ts";

const annotations = { readOnly: true, destructive: false, idempotent: true, openWorld: true, untrusted: true } as const;
const MAX_RESULTS = 20;

export const webFetchTool = defineTool({
  name: "web_fetch",
  group: "web",
  description: "Fetch a public http or https page as text.",
  annotations,
  schema: z.strictObject({
    url: z.string().min(1),
    maxSize: z.number().int().min(1).optional().describe("Bytes to read at most; default 500000"),
  }),
  available: (host) => host.web !== undefined,
  handler: async ({ url, maxSize }, ctx) => {
    const { fetchBytes, fetchTextBytes, fetchTimeoutMs, fetchRedirects } = ctx.limits;
    const bytes = Math.min(maxSize ?? fetchBytes, fetchBytes);
    const page = await fetchPage(url, ctx.host.web!, {
      bytes,
      textBytes: fetchTextBytes,
      timeoutMs: fetchTimeoutMs,
      redirects: fetchRedirects,
    });
    return answer({ ...page });
  },
});

export const webSearchTool = defineTool({
  name: "web_search",
  group: "web",
  description: "Search the web; returns title, url and content of each result. For a known page use web_fetch.",
  annotations,
  schema: z.strictObject({
    query: z.string().min(1).max(1000),
    provider: z.enum(SEARCH_PROVIDERS).optional(),
    maxResults: z.number().int().min(1).optional().describe("Default 5"),
  }),
  available: (host) => host.search !== undefined,
  handler: async ({ query, provider, maxResults }, ctx) => {
    const count = Math.min(maxResults ?? ctx.limits.searchResults, MAX_RESULTS);
    return answer({ ...(await searchWeb(query, count, provider, ctx.host.search!)) });
  },
});
