/**
 * Fetches a page as text: checks every redirect, reads a limited number of bytes, and shares one request among concurrent callers.
 */
import { ToolError, toToolError } from "../../errors.ts";
import { charBoundary } from "../../format/cut-text.ts";
import { concat } from "../../format/window.ts";
import { checkAddress, dnsOverHttps, type Resolver } from "./check-address.ts";
import { htmlToText } from "./html-to-text.ts";

export interface FetchOptions {
  fetch?: typeof fetch;
  /** Default: DNS over HTTPS. */
  resolve?: Resolver;
  /** Allows loopback only, never private or metadata addresses. */
  allowLocalFetch?: boolean;
  userAgent?: string;
}

export interface FetchLimits {
  bytes: number;
  textBytes: number;
  timeoutMs: number;
  redirects: number;
}

export interface FetchedPage {
  /** After redirects. */
  url: string;
  status: number;
  contentType: string;
  title?: string;
  content: string;
  truncated: boolean;
}

/** Pending requests per host options: the options determine what is reachable, so only the same host's callers share them. */
const running = new WeakMap<FetchOptions, Map<string, Promise<FetchedPage>>>();

export function fetchPage(url: string, options: FetchOptions, limits: FetchLimits): Promise<FetchedPage> {
  let pages = running.get(options);
  if (pages === undefined) running.set(options, (pages = new Map()));
  const key = `${limits.bytes} ${limits.textBytes} ${limits.timeoutMs} ${limits.redirects} ${url}`;
  let page = pages.get(key);
  if (page === undefined) {
    page = fetchOnce(url, options, limits).finally(() => pages.delete(key));
    pages.set(key, page);
  }
  return page;
}

async function fetchOnce(start: string, options: FetchOptions, limits: FetchLimits): Promise<FetchedPage> {
  const fetcher = options.fetch ?? ((input, init) => fetch(input, init));
  const resolve = options.resolve ?? dnsOverHttps(fetcher);
  // Not `AbortSignal.timeout`: its timer continues after the page has arrived and keeps an object awake, and an object has a
  // limited number.
  const late = new AbortController();
  const { signal } = late;
  const timer = setTimeout(() => late.abort(), limits.timeoutMs);
  let next = start;
  try {
    for (let hop = 0; hop <= limits.redirects; hop++) {
      const url = await checkAddress(next, { resolve, allowLocalFetch: options.allowLocalFetch ?? false });
      const response = await fetcher(url.href, {
        redirect: "manual",
        signal,
        headers: {
          "user-agent": options.userAgent ?? "Mozilla/5.0 (compatible; workspace-web-fetch)",
          accept: "text/html,text/plain,*/*;q=0.5",
        },
      });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null)
        return await readPage(url, response, limits);
      await response.body?.cancel();
      next = new URL(location, url).href;
    }
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const reason = signal.aborted ? `no answer within ${limits.timeoutMs} ms` : toToolError(error).message;
    throw new ToolError(
      "FETCH_FAILED",
      `${start.slice(0, 200)} could not be fetched: ${reason}.`,
      {},
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
  throw new ToolError("FETCH_FAILED", `${start.slice(0, 200)} redirects more than ${limits.redirects} times.`);
}

async function readPage(url: URL, response: Response, limits: FetchLimits): Promise<FetchedPage> {
  const contentType = response.headers.get("content-type") ?? "";
  const { bytes, cut } = await readUpTo(response, limits.bytes);
  const isHtml =
    /html|xml/i.test(contentType) ||
    (contentType === "" && /^\s*<(!doctype|html)/i.test(utf8.decode(bytes.subarray(0, 500))));
  if (!isHtml && bytes.subarray(0, 1024).includes(0))
    throw new ToolError(
      "BINARY_FILE",
      `${url.href.slice(0, 200)} is ${contentType || "binary"}, not text. Fetch it with a command and keep it in a file.`,
    );
  const source = decode(bytes, contentType, isHtml);
  const page =
    isHtml && !/^text\/xml|application\/(?!xhtml)/i.test(contentType)
      ? htmlToText(source, url.href)
      : { title: "", text: source, cut: false };
  const { title, text } = page;
  const content = cutBytes(text, limits.textBytes);
  return {
    url: url.href,
    status: response.status,
    contentType,
    ...(title === "" ? {} : { title }),
    content,
    truncated: cut || page.cut || content !== text,
  };
}

const encoder = new TextEncoder();
/** Cached: creating a decoder takes as long as decoding a page. */
const utf8 = new TextDecoder();

/** The beginning, within `maxBytes` of UTF-8. */
function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const encoded = encoder.encode(text);
  return encoded.length <= maxBytes ? text : utf8.decode(encoded.subarray(0, charBoundary(encoded, maxBytes)));
}

async function readUpTo(response: Response, limit: number): Promise<{ bytes: Uint8Array; cut: boolean }> {
  if (response.body === null) return { bytes: new Uint8Array(0), cut: false };
  const body = response.body as ReadableStream<Uint8Array>;
  const reader = greedyReader(body);
  return reader === null ? readByChunk(body, limit) : fill(reader, limit);
}

interface GreedyReader {
  readAtLeast?(bytes: number, into: Uint8Array): Promise<{ done: boolean; value?: Uint8Array }>;
  cancel(): Promise<void>;
  releaseLock(): void;
}

const READ_BYTES = 64 * 1024;

/** workerd fills a buffer from a body without a turn for each chunk. Null: this body does not support it. */
function greedyReader(body: ReadableStream<Uint8Array>): Required<GreedyReader> | null {
  let reader: GreedyReader;
  try {
    reader = body.getReader({ mode: "byob" }) as unknown as GreedyReader;
  } catch {
    return null;
  }
  if (reader.readAtLeast !== undefined) return reader as Required<GreedyReader>;
  reader.releaseLock();
  return null;
}

async function fill(reader: Required<GreedyReader>, limit: number): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    // One extra byte shows whether there is more.
    const wanted = Math.min(READ_BYTES, limit - size + 1);
    const { value } = await reader.readAtLeast(wanted, new Uint8Array(wanted));
    const got = value?.length ?? 0;
    if (size + got > limit) {
      parts.push((value as Uint8Array).subarray(0, limit - size));
      await reader.cancel();
      return { bytes: concat(parts), cut: true };
    }
    if (got > 0) parts.push(value as Uint8Array);
    if (got < wanted) return { bytes: concat(parts), cut: false };
    size += got;
  }
}

async function readByChunk(
  body: ReadableStream<Uint8Array>,
  limit: number,
): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: concat(parts), cut: false };
    const room = limit - size;
    if (value.length > room) {
      parts.push(value.subarray(0, room));
      await reader.cancel();
      return { bytes: concat(parts), cut: true };
    }
    parts.push(value);
    size += value.length;
  }
}

/** Decodes by the charset of the header, of a byte-order mark, or of the page's own `meta`. */
function decode(bytes: Uint8Array, contentType: string, isHtml: boolean): string {
  const head = isHtml ? new TextDecoder("latin1").decode(bytes.subarray(0, 2048)) : "";
  const label =
    (bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : undefined) ??
    /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ??
    "utf-8";
  if (/^utf-?8$/i.test(label)) return utf8.decode(bytes);
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return utf8.decode(bytes);
  }
}
