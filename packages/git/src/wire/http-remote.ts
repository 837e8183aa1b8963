/**
 * Requests to a smart HTTP server. The host provides credentials for the origin that a request really goes to, after `insteadOf`
 * and again after a redirect; a repository's own configuration cannot set a proxy, a helper or a header. Redirects are followed
 * only for the first request, as git's default (`http.followRedirects=initial`); later requests use the resulting URL.
 */
import { GitError } from "../errors.ts";
import type { Credential, CredentialSource, GitHost } from "../host.ts";
import type { GitLimits } from "../limits.ts";
import { IdleTimeout } from "./idle-timeout.ts";
import { readResponseBody } from "./read-response-body.ts";
import type { RemoteUrl } from "./remote-url.ts";

const MAX_REDIRECTS = 20;
const MAX_ERROR_TEXT = 4096;
/** curl's error number. */
const MAX_RETRIES = 5;
const USER_AGENT = "git/2.39.5";

type CredentialRequest = Parameters<CredentialSource>[0];

export class HttpRemote {
  readonly #host: GitHost;
  /** Without a trailing slash; changes if the first request is redirected. */
  #base: string;
  /** As the user wrote it, for messages. */
  readonly #originalUrl: string;
  readonly #username: string | undefined;
  #input: Credential | null;
  #requestedOrigin: string | null = null;
  readonly #print: ((text: string) => void) | undefined;
  readonly #idleTimeout: IdleTimeout;

  constructor(
    host: GitHost,
    url: Extract<RemoteUrl, { kind: "http" }>,
    { idleTimeoutMs }: Pick<GitLimits, "idleTimeoutMs">,
    print?: (text: string) => void,
  ) {
    this.#host = host;
    this.#base = url.url;
    this.#originalUrl = url.url;
    this.#username = url.username;
    this.#print = print;
    this.#idleTimeout = new IdleTimeout(idleTimeoutMs, host.signal);
    const { username, password } = url;
    this.#input = username !== undefined && password !== undefined ? { username, password } : null;
    if (this.#input !== null) this.#requestedOrigin = url.origin;
  }

  /** Without user and password. */
  get url(): string {
    return this.#originalUrl;
  }

  /** The first request, with the preferred protocol version. */
  async discover(service: string, version: 0 | 1 | 2): Promise<Response> {
    const headers: Record<string, string> = { Accept: "*/*", "Cache-Control": "no-cache", "User-Agent": USER_AGENT };
    if (version > 0) headers["Git-Protocol"] = `version=${version}`;
    const path = `/info/refs?service=${service}`;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await this.#authorized(`${this.#base}${path}`, (authorization) => ({
        headers: { ...headers, ...authorization },
        redirect: "manual",
      }));
      if (response.status < 300 || response.status > 399) {
        await this.#checked(response, path);
        if (hop > 0) this.#print?.(`warning: redirecting to ${this.#base}/\n`);
        return response;
      }
      await response.body?.cancel();
      this.#follow(response, path);
    }
    throw this.#inaccessible(`Maximum (${MAX_REDIRECTS}) redirects followed`);
  }

  /** Sends a command and returns the response; `body` is called again if the server first requires credentials. */
  async post(service: string, version: 0 | 1 | 2, body: () => BodyInit, length?: number): Promise<Response> {
    const headers: Record<string, string> = {
      "Content-Type": `application/x-${service}-request`,
      Accept: `application/x-${service}-result`,
      "User-Agent": USER_AGENT,
    };
    if (version > 0) headers["Git-Protocol"] = `version=${version}`;
    if (length !== undefined) headers["Content-Length"] = String(length);
    const response = await this.#authorized(`${this.#base}/${service}`, (authorization) => {
      const content = body();
      const streams = content instanceof ReadableStream;
      return {
        method: "POST",
        headers: { ...headers, ...authorization },
        body: content,
        redirect: "manual",
        ...(streams ? { duplex: "half" } : {}),
      } as RequestInit;
    });
    const wanted = `application/x-${service}-result`;
    await this.#checked(response, `/${service}`);
    if (!(response.headers.get("content-type") ?? "").startsWith(wanted)) {
      await response.body?.cancel();
      throw new GitError("ENETWORK", `invalid content-type ${response.headers.get("content-type")}`);
    }
    return response;
  }

  /** Streams a response's content. */
  body(response: Response): AsyncGenerator<Uint8Array> {
    return readResponseBody(response, this.#idleTimeout);
  }

  /** A part of the request body was consumed. */
  sent(): void {
    this.#idleTimeout.reset();
  }

  async #authorized(url: string, init: (authorization: Record<string, string>) => RequestInit): Promise<Response> {
    const { origin } = new URL(url);
    if (this.#requestedOrigin !== origin) this.#input = null;
    const first = await this.#fetch(url, () => init(authorizationHeader(this.#input)));
    if (first.status !== 401) return first;
    const rejected = this.#input !== null;
    const credential = await this.#ask({ origin, url: this.#base, username: this.#username, rejected });
    if (!credential && rejected) await this.#repeat(first);
    else await first.body?.cancel();
    if (!credential) {
      if (rejected) throw new GitError("EAUTH", `Authentication failed for '${this.#originalUrl}/'`);
      const field = this.#username === undefined ? "Username" : "Password";
      throw new GitError(
        "EAUTH",
        `could not read ${field} for '${withUser(origin, this.#username)}': terminal prompts disabled`,
      );
    }
    this.#input = credential;
    this.#requestedOrigin = origin;
    const second = await this.#fetch(url, () => init(authorizationHeader(credential)));
    if (second.status !== 401) return second;
    await this.#repeat(second);
    throw new GitError("EAUTH", `Authentication failed for '${this.#originalUrl}/'`);
  }

  /** Hides errors of the host's own code: they may contain internal details. */
  async #ask(request: CredentialRequest): Promise<Credential | null> {
    const source = this.#host.credentials;
    if (source === undefined) return null;
    if (typeof source !== "function") {
      const isNew = !request.rejected && Object.hasOwn(source, request.origin);
      return isNew ? (source[request.origin] as Credential) : null;
    }
    try {
      return await source(request);
    } catch (cause) {
      throw new GitError("EAUTH", `could not get credentials for '${request.origin}'`, { cause });
    }
  }

  /**
   * A server may close a keep-alive connection just as it is reused. Then there was no response, so the request is retried, as curl
   * does; the next reused connection may be closed too. A push names the old value of every ref, so a repeated one changes nothing
   * if the first did arrive.
   */
  async #fetch(url: string, init: () => RequestInit): Promise<Response> {
    for (let retries = 0; ; retries++) {
      try {
        return await this.#attempt(url, init());
      } catch (cause) {
        if (retries === MAX_RETRIES || !isConnectionLost(cause) || this.#host.signal?.aborted) throw cause;
      }
    }
  }

  async #attempt(url: string, init: RequestInit): Promise<Response> {
    if (this.#host.fetch === undefined)
      throw new GitError("EUNSUPPORTED", `unable to access '${this.#originalUrl}/': this workspace has no network`);
    const request = new AbortController();
    try {
      return await this.#idleTimeout.wait(this.#host.fetch(url, { ...init, signal: request.signal }));
    } catch (cause) {
      request.abort();
      throw this.#inaccessible(cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  #follow(response: Response, path: string): void {
    const location = response.headers.get("location");
    if (location === null) throw this.#inaccessible(`The requested URL returned error: ${response.status}`);
    const target = new URL(location, `${this.#base}${path}`);
    if (target.protocol !== "https:" && target.protocol !== "http:")
      throw this.#inaccessible(`Protocol "${target.protocol.slice(0, -1)}" not supported or disabled in libcurl`);
    if (this.#base.startsWith("https:") && target.protocol === "http:")
      throw this.#inaccessible("redirected from https to http, which would show what is sent");
    target.username = "";
    target.password = "";
    if (!target.href.endsWith(path))
      throw new GitError(
        "ENETWORK",
        `unable to update url base from redirection:\n  asked for: ${this.#base}${path}\n   redirect: ${target.href}`,
      );
    this.#base = target.href.slice(0, -path.length);
  }

  async #checked(response: Response, path: string): Promise<Response> {
    if (response.status === 200) return response;
    if (path.startsWith("/info/")) await this.#repeat(response);
    else await response.body?.cancel();
    if (response.status === 404) throw new GitError("ENOTFOUND", `repository '${this.#originalUrl}/' not found`);
    if (path.startsWith("/info/")) throw this.#inaccessible(`The requested URL returned error: ${response.status}`);
    // git's messages for a failure of a later request: that of the transport, then of the command.
    throw new GitError(
      "ENETWORK",
      `RPC failed; HTTP ${response.status} curl 22 The requested URL returned error: ${response.status}`,
      {
        prefix: "error",
        hint: "fatal: the remote end hung up unexpectedly\n",
      },
    );
  }

  /** The text of a server's error response, if it is meant for users. */
  async #repeat(response: Response): Promise<void> {
    if (!/^text\/plain\b/i.test(response.headers.get("content-type") ?? "")) return response.body?.cancel();
    let text = "";
    const decoder = new TextDecoder();
    try {
      for await (const piece of this.body(response)) {
        text += decoder.decode(piece, { stream: true });
        if (text.length >= MAX_ERROR_TEXT) break;
      }
    } catch {
      // Report the received part; the error is the status.
    }
    const reported = text.slice(0, MAX_ERROR_TEXT).trimEnd();
    if (reported !== "") this.#print?.(reported.replace(/^/gm, () => "remote: ").concat("\n"));
  }

  #inaccessible(why: string, cause?: unknown): GitError {
    return new GitError("ENETWORK", `unable to access '${this.#originalUrl}/': ${why.slice(0, MAX_ERROR_TEXT)}`, {
      cause,
    });
  }
}

const LOST_CODES = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);
const MAX_CAUSES = 5;

/** Node sets a code on one of the causes, workerd a message. */
function isConnectionLost(error: unknown): boolean {
  let cause = error;
  for (let i = 0; i < MAX_CAUSES && cause instanceof Error; i++, cause = cause.cause) {
    const { code, message } = cause as Error & { code?: unknown };
    if (typeof code === "string" && LOST_CODES.has(code)) return true;
    if (message.startsWith("Network connection lost")) return true;
  }
  return false;
}

function authorizationHeader(credential: Credential | null): Record<string, string> {
  if (credential === null) return {};
  if ("bearer" in credential) return { Authorization: `Bearer ${credential.bearer}` };
  const bytes = new TextEncoder().encode(`${credential.username}:${credential.password}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

function withUser(origin: string, username: string | undefined): string {
  return username === undefined ? origin : origin.replace("//", () => `//${encodeURIComponent(username)}@`);
}
