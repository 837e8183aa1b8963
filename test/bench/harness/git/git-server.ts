/** A real git server on loopback: `git http-backend` behind Node's HTTP, for the repositories in one folder. */
import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gitEnvironment } from "./run-git.ts";

export interface GitServer extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly origin: string;
}

export interface GitServerOptions {
  /** False: it knows no protocol but the first, as servers did before 2017. */
  readonly newProtocols?: boolean;
  /** Called with the method and path of each request. */
  readonly onRequest?: (request: string) => void;
}

export async function startGitServer(folder: string, options: GitServerOptions = {}): Promise<GitServer> {
  const server = createServer((request, response) => {
    options.onRequest?.(`${request.method} ${request.url}`);
    serve(folder, request, response, options);
  });
  // A process that has to wait for the machine may find a connection closed that it was about to use.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function serve(
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
  { newProtocols = true }: GitServerOptions,
): void {
  const url = new URL(request.url ?? "/", "http://localhost");
  const child = spawn("git", ["http-backend"], {
    env: {
      ...gitEnvironment,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      CONTENT_LENGTH: request.headers["content-length"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: newProtocols ? String(request.headers["git-protocol"] ?? "") : "",
      REMOTE_ADDR: "127.0.0.1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
    },
    // A request for a missing file gets an error response.
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => {});
  let head: Uint8Array[] = [];
  const begun = (data: Buffer) => {
    head.push(data);
    const text = Buffer.concat(head).toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    if (end < 0) return;
    begin(response, text.slice(0, end));
    response.write(Buffer.from(text.slice(end + 4), "latin1"));
    head = [];
    child.stdout.off("data", begun);
    child.stdout.pipe(response);
  };
  child.stdout.on("data", begun);
  child.stdout.on("end", () => response.end());
}

/** The headers of a CGI answer, `Status` among them. */
function begin(response: ServerResponse, text: string): void {
  const headers = text.split("\r\n").map((line) => line.split(/:\s*/, 2) as [string, string]);
  const status = headers.find(([name]) => name.toLowerCase() === "status")?.[1] ?? "200";
  for (const [name, value] of headers) if (name.toLowerCase() !== "status") response.setHeader(name, value);
  response.writeHead(Number.parseInt(status, 10));
}
