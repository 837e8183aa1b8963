/**
 * Client for the HTTP API of one workspace on one server, shared by all commands. It builds URLs, sends the token, and converts
 * error responses to errors with the server's code. It never retries: a caller with a repeatable request does that (`retry.ts`).
 */
import type { ApiError } from "@workspace/worker/api";
import { CliError, UNREACHABLE } from "../cli-error.ts";
import type { Settings } from "../config/settings.ts";
import type { Io } from "../io.ts";

export interface ApiRequest {
  readonly method?: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
}

export class Api {
  readonly #io: Pick<Io, "fetch">;
  readonly settings: Settings;

  constructor(io: Pick<Io, "fetch">, settings: Settings) {
    this.#io = io;
    this.settings = settings;
  }

  /** The same server, another workspace. */
  forWorkspace(workspace: string): Api {
    return workspace === this.settings.workspace ? this : new Api(this.#io, { ...this.settings, workspace });
  }

  /** Below `/api/w/:name`, or from the root if it starts with a slash. */
  url(route: string, query: ApiRequest["query"] = {}): string {
    const base = `${this.settings.url}${route.startsWith("/") ? "" : `/api/w/${this.settings.workspace}/`}${route}`;
    const given = Object.entries(query).filter(
      (pair): pair is [string, string | number | boolean] => pair[1] !== undefined,
    );
    const text = new URLSearchParams(
      given.map(([name, value]) => [name, value === true ? "1" : String(value)]),
    ).toString();
    return text === "" ? base : `${base}?${text}`;
  }

  /** The change log shows this actor as a suffix. */
  headers(): Record<string, string> {
    const { token } = this.settings;
    return { "X-Workspace-Actor": "wsx", ...(token === null ? {} : { Authorization: `Bearer ${token}` }) };
  }

  /** Resolves to a successful response; the caller reads or cancels its body. */
  async send(route: string, request: ApiRequest = {}): Promise<Response> {
    const { method = "GET", query, headers, json, body, signal } = request;
    const response = await this.#fetch(this.url(route, query), {
      method,
      headers: { ...this.headers(), ...(json === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
      ...requestBody(json, body),
      redirect: "manual",
      signal: signal ?? null,
    });
    if (response.ok || response.status === 304) return response;
    throw await refusalOf(response);
  }

  async json<Answer>(route: string, request: ApiRequest = {}): Promise<Answer> {
    const response = await this.send(route, request);
    try {
      return (await response.json()) as Answer;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new CliError("EPROTO", "the server's answer is not JSON", "Is this the address of a workspace server?");
    }
  }

  /** For responses without a useful body. */
  async sendDiscardingBody(route: string, request: ApiRequest = {}): Promise<void> {
    await (await this.send(route, request)).body?.cancel();
  }

  async #fetch(address: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#io.fetch(address, init);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      // An error while reading the body from this machine.
      const { cause } = error as { cause?: unknown };
      if (cause instanceof CliError || (cause as NodeJS.ErrnoException | undefined)?.syscall === "open") throw cause;
      throw unreachable(this.settings.url, error);
    }
  }
}

function requestBody(json: unknown, body: ApiRequest["body"]): RequestInit {
  if (json !== undefined) return { body: JSON.stringify(json) };
  if (body === undefined) return {};
  if (body instanceof Uint8Array) return { body: body as Uint8Array<ArrayBuffer> };
  // Node requires `duplex` for a body that streams.
  return { body: withoutEmptyChunks(body), duplex: "half" } as unknown as RequestInit;
}

/** Node 20's `fetch` requests no further chunk after an empty one, and the request hangs. */
async function* withoutEmptyChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) if (chunk.length > 0) yield chunk;
}

function unreachable(url: string, error: unknown): CliError {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  const reason = cause?.code ?? cause?.message ?? (error as Error).message;
  const local = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]?/.test(url);
  const hint = local ? "Is it running? `npm start` in the checkout starts it." : "Check --url, WSX_URL or `wsx login`.";
  return new CliError(UNREACHABLE, `cannot reach ${url} (${reason})`, hint, undefined, 0);
}

/** Replaces server hints about HTTP with hints about wsx. */
const HINTS: Readonly<Record<string, string>> = {
  UNAUTHORIZED: "`wsx login` keeps a token for this server; WSX_TOKEN gives one for now.",
  ENOTEMPTY: "Add -r to remove all that is in it.",
  ERR_FS_EISDIR: "Add -r to remove all that is in it.",
  ESTALE: "It is not as you know it; nothing was changed. `wsx stat` shows the version it has now.",
  NO_ROUTE: "The server is older than this wsx, or is no workspace server.",
};

/** Maps a route that lists things to the equivalent command. */
const LISTS: Readonly<Record<string, string>> = { exec: "`wsx exec --list`", tools: "`wsx tools`" };

async function refusalOf(response: Response): Promise<CliError> {
  const text = await response.text().catch(() => "");
  const error = errorIn(text);
  const wait = retryAfterMs(response);
  if (error === null) {
    const message = `the server answered ${response.status} ${firstWords(text)}`;
    return new CliError(`HTTP_${response.status}`, message, undefined, undefined, wait);
  }
  const hint =
    HINTS[error.code] ?? error.hint?.replace(/\bGET (exec|tools)\b/, (_, route: string) => LISTS[route] ?? "");
  return new CliError(error.code, error.message, hint, error.path, wait);
}

const PASSING = new Set([429, 502, 503, 504]);

function retryAfterMs({ status, headers }: Response): number | undefined {
  if (!PASSING.has(status)) return undefined;
  const seconds = Number(headers.get("Retry-After") ?? 0);
  return Number.isFinite(seconds) ? seconds * 1000 : 0;
}

/** For a foreign response, from a proxy or from `wrangler dev`: its first line, unless it is HTML. */
function firstWords(text: string): string {
  const line = text.trimStart().split("\n", 1)[0]?.trim() ?? "";
  return line === "" || line.startsWith("<") ? "without saying why" : `and said: ${line.slice(0, 200)}`;
}

function errorIn(text: string): { code: string; message: string; hint?: string; path?: string } | null {
  try {
    const { error } = JSON.parse(text) as Partial<ApiError>;
    return typeof error?.code === "string" && typeof error.message === "string" ? error : null;
  } catch {
    return null;
  }
}
