import { describe, expect, it } from "vitest";
import { connectSnippets } from "./connect-snippets.tsx";

describe("connectSnippets", () => {
  it("connectSnippets names this server and this workspace in every line, and a token only where one is needed", () => {
    const local = Object.fromEntries(connectSnippets("http://127.0.0.1:8787", "demo", true));
    expect(local).toEqual({
      HTTP: "curl http://127.0.0.1:8787/api/w/demo/files/",
      "Command line": "npm run -s cli -- ls --url http://127.0.0.1:8787 -W demo",
      "Claude Code": "claude mcp add --transport http workspace http://127.0.0.1:8787/mcp/demo",
      Worker: 'getWorkspace(env.WORKSPACE, "demo")',
    });
    const deployed = Object.fromEntries(connectSnippets("https://w.example", "demo", false));
    expect(deployed.HTTP).toBe('curl -H "Authorization: Bearer $TOKEN" https://w.example/api/w/demo/files/');
    expect(deployed["Claude Code"]).toBe(
      'claude mcp add --transport http workspace https://w.example/mcp/demo --header "Authorization: Bearer $TOKEN"',
    );
  });
});
