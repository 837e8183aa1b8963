/** For tests: a client of the whole app on a workspace of the test Worker, with direct access to the workspace. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type FileSystem, getWorkspace } from "@cloudflare/workspace";
import type { Env } from "../env.ts";
import type { ErrorBody } from "../errors/error-response.ts";
import { createApp } from "../gateway/app.ts";

export const TOKEN = "s3cret-token-of-the-tests-0123456789";

type Vars = Omit<Env, "WORKSPACE" | "REGISTRY">;

export interface CallOptions {
  headers?: Record<string, string>;
  body?: BodyInit;
}

const app = createApp();
const namespace = env.HTTP_WORKSPACE;

/** Sends any request unchanged. */
export async function call(request: Request, vars: Vars = { WORKSPACE_TOKEN: TOKEN }): Promise<Response> {
  const bindings = { WORKSPACE: namespace, REGISTRY: env.REGISTRY };
  return app.fetch(request, { ...bindings, ...vars }, createExecutionContext());
}

/** Requests for the files of one workspace, with a valid token. */
export class ApiClient {
  readonly fs: FileSystem;

  constructor(readonly name: string) {
    this.fs = getWorkspace(namespace, name).fs;
  }

  send(method: string, path: string, { headers, body }: CallOptions = {}): Promise<Response> {
    const url = `https://workspace.example/api/w/${this.name}/files${path}`;
    return call(new Request(url, { method, headers: { Authorization: `Bearer ${TOKEN}`, ...headers }, body }));
  }

  get(path: string, headers?: Record<string, string>): Promise<Response> {
    return this.send("GET", path, { headers });
  }

  put(path: string, body?: BodyInit, headers?: Record<string, string>): Promise<Response> {
    return this.send("PUT", path, { body, headers });
  }

  async text(path: string): Promise<string> {
    return (await this.get(path)).text();
  }

  /** The cursor of the change log: equal before and after means that nothing changed. */
  async state(): Promise<string> {
    return (await this.fs.changes()).cursor;
  }
}

/** Status and code of an error response; also checks its shape. */
export async function refusal(response: Response): Promise<string> {
  const body = (await response.json()) as ErrorBody;
  const { code, message, hint, path } = body.error;
  const shaped = [code, message, hint].every((text) => typeof text === "string" && text !== "");
  const only = Object.keys(body.error).every((key) => ["code", "message", "hint", "path", "conflicts"].includes(key));
  if (!shaped || !only || !(path === undefined || path.startsWith("/")))
    throw new Error(`not an error's shape: ${JSON.stringify(body)}`);
  return `${response.status} ${code}`;
}

/** The response after its body has arrived: an unread body makes the runtime log a warning. */
export async function consumed(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  await response.arrayBuffer();
  return response;
}

/** A body of unknown length, in chunks of up to 64 KiB; `broken` fails instead of ending. */
export function streamOf(size: number, broken?: "broken"): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const length = Math.min(65_536, size - sent);
      if (length > 0) controller.enqueue(new Uint8Array(length).fill(97));
      sent += length;
      if (sent < size) return;
      if (broken) controller.error(new Error("the client went away"));
      else controller.close();
    },
  });
}

/** A body that sends one byte at once and ends on `finish`; `wanted` resolves when the reader requests more. */
export function pausedBody(): { body: ReadableStream<Uint8Array>; wanted: Promise<void>; finish: () => void } {
  const wanted = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (pulls++ === 0) return controller.enqueue(Uint8Array.of(97));
        wanted.resolve();
        await end.promise;
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, wanted: wanted.promise, finish: () => end.resolve() };
}
