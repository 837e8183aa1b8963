/** An example of each request with parameters, by route. They are part of the OpenAPI document; a test sends every one of them. */
export interface Example {
  query?: Record<string, string>;
  body?: unknown;
}

export const EXAMPLES: Readonly<Record<string, Example>> = {
  "POST /api/session": { body: { token: "<the value of WORKSPACE_TOKEN, or a scoped token>" } },
  "POST /api/tokens": { body: { workspace: "demo", readOnly: true, expiresInSeconds: 3600 } },
  "GET /api/workspaces": { query: { limit: "100" } },
  "POST /api/workspaces": { body: { name: "site", from: {} } },
  "DELETE /api/w/:name": { query: { confirm: "demo" } },
  "GET /api/w/:name/files/*": { query: { limit: "100" } },
  "PUT /api/w/:name/files/*": { query: { type: "file" } },
  "DELETE /api/w/:name/files/*": { query: { recursive: "1" } },
  "GET /api/w/:name/tree": { query: { path: "src", depth: "2", limit: "100" } },
  "GET /api/w/:name/stat": { query: { path: "src/app.ts" } },
  "POST /api/w/:name/mkdir": { body: { path: "docs/drafts" } },
  "POST /api/w/:name/rename": { body: { from: "src/app.ts", to: "src/main.ts", ifTargetVersion: null } },
  "GET /api/w/:name/search/glob": { query: { pattern: "**/*.ts", cwd: "src", limit: "100" } },
  "POST /api/w/:name/search/grep": { body: { pattern: "TODO|FIXME", regex: true, include: "*.ts", context: 1 } },
  "GET /api/w/:name/changes": { query: { path: "src", limit: "100" } },
  "GET /api/w/:name/changes/live": { query: { path: "src" } },
  "POST /api/w/:name/git": { body: { argv: ["status", "--short"] } },
  "GET /api/w/:name/archive": { query: { path: "src", format: "tar", gzip: "1" } },
  "PUT /api/w/:name/archive": { query: { path: "copy", format: "tar" } },
  "GET /api/w/:name/tools": { query: { dialect: "anthropic" } },
  "POST /api/w/:name/tools/:tool": { body: { path: "src/app.ts" } },
  "POST /api/w/:name/exec": { body: { command: "wc -l src/*.ts", cwd: "/workspace", timeoutMs: 60_000 } },
  "GET /api/w/:name/exec": { query: { limit: "20" } },
  "GET /api/w/:name/exec/:id/events": { query: { after: "0" } },
  "POST /api/w/:name/exec/:id/stdin": { query: { end: "1" } },
  "POST /api/w/:name/exec/:id/kill": { body: { signal: "SIGTERM" } },
  "POST /api/w/:name/ports": { body: { port: 3000 } },
  "GET /api/w/:name/history": { query: { by: "call", path: "src", limit: "20" } },
  "GET /api/w/:name/history/diff": { query: { callId: "call-1" } },
  "GET /api/w/:name/history/blame": { query: { path: "src/app.ts" } },
  "GET /api/w/:name/history/tools": { query: { limit: "20" } },
  "POST /api/w/:name/history/undo": { body: { callId: "call-1", dryRun: true } },
  "POST /api/w/:name/snapshots": { body: { name: "before the refactoring", pinned: true } },
  "POST /api/w/:name/snapshots/:id/restore": { body: { paths: ["src"], dryRun: true } },
};
