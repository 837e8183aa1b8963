/**
 * Forwards a Worker's request to a port in a workspace's container: unchanged, HTTP or WebSocket, streaming both ways. The Worker
 * decides beforehand who may access a port; the workspace decides which ports are exposed (`shell.exposePort`), and others are 404.
 */
const PORT_HEADER = "x-workspace-port";

export function proxyPort(
  workspace: { fetch(request: Request): Promise<Response> },
  request: Request,
  port: number,
): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set(PORT_HEADER, String(port));
  return workspace.fetch(new Request(request, { headers, redirect: "manual" }));
}

/** The port that a request was sent to by `proxyPort`. */
export function portNamed(request: Request): number | null {
  const text = request.headers.get(PORT_HEADER) ?? "";
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : null;
}
