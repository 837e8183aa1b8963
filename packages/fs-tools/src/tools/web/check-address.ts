/**
 * Whether a URL may be fetched: only http and https, no credentials, no name of the local network, and only public addresses, in
 * any spelling and behind any name. Checked again for every redirect.
 */
import { ToolError } from "../../errors.ts";
import { addressKind } from "./ip-address.ts";

/** All addresses of a name; empty if it has none. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

export interface AddressPolicy {
  /** Allows loopback, and nothing else. */
  allowLocalFetch?: boolean;
  resolve: Resolver;
}

const LOCAL_SUFFIXES = [
  ".local",
  ".internal",
  ".intranet",
  ".lan",
  ".home",
  ".corp",
  ".home.arpa",
  ".localdomain",
  ".private",
  ".arpa",
  ".onion",
];
const MAX_URL = 8192;

export async function checkAddress(text: string, { allowLocalFetch = false, resolve }: AddressPolicy): Promise<URL> {
  const url = parse(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refused(text, "only http and https are fetched");
  if (url.username !== "" || url.password !== "") throw refused(text, "it holds credentials");
  const host = withoutLastDots(url.hostname.toLowerCase());
  if (host === "") throw refused(text, "it names no host");
  const literal = addressKind(host);
  if (literal !== null) {
    requirePublic(text, literal, allowLocalFetch);
    return url;
  }
  if (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    /^(localhost|ip6-localhost|ip6-loopback|localhost\.localdomain)$/.test(host)
  ) {
    requirePublic(text, "loopback", allowLocalFetch);
    return url;
  }
  // Some resolvers read a last label of digits or hexadecimal as an address.
  if (!host.includes(".") || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host))
    throw refused(text, "it is a name of the local network");
  if (LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix))) throw refused(text, "it is a name of the local network");
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw new ToolError("FETCH_FAILED", `The name ${host} could not be resolved.`, {}, { cause });
  });
  if (addresses.length === 0) throw new ToolError("FETCH_FAILED", `The name ${host} has no address.`);
  // DNS rebinding: one private address among public ones is enough to refuse.
  for (const address of addresses) requirePublic(text, addressKind(address) ?? "private", false);
  return url;
}

function parse(text: string): URL {
  if (text.length > MAX_URL) throw refused(text, `it is longer than ${MAX_URL} characters`);
  try {
    return new URL(text);
  } catch (cause) {
    throw new ToolError(
      "INVALID_INPUT",
      `${JSON.stringify(text.slice(0, 200))} is not a URL.`,
      { field: "url" },
      { cause },
    );
  }
}

function requirePublic(text: string, kind: "public" | "loopback" | "private", allowLocal: boolean): void {
  if (kind === "public" || (kind === "loopback" && allowLocal)) return;
  throw refused(text, "its address is private, loopback, link-local or a metadata service");
}

function refused(url: string, reason: string): ToolError {
  return new ToolError("ADDRESS_REFUSED", `${JSON.stringify(url.slice(0, 200))} was not fetched: ${reason}.`, {
    url: url.slice(0, 500),
  });
}

/** DNS over HTTPS, which works in a Worker; it does not determine the address that `fetch` will use (docs/differences.md). */
export function dnsOverHttps(fetcher: typeof fetch, endpoint = "https://cloudflare-dns.com/dns-query"): Resolver {
  return async (hostname) => {
    const answers = await Promise.all(
      ["A", "AAAA"].map(async (type) => {
        const response = await fetcher(`${endpoint}?name=${encodeURIComponent(hostname)}&type=${type}`, {
          headers: { accept: "application/dns-json" },
          redirect: "manual",
          signal: AbortSignal.timeout(5000),
        });
        if (!response.ok) throw new Error(`DNS answered ${response.status}`);
        const { Answer = [] } = (await response.json()) as { Answer?: { type: number; data: string }[] };
        return Answer.filter((one) => one.type === 1 || one.type === 28).map((one) => one.data);
      }),
    );
    return answers.flat();
  };
}

function withoutLastDots(host: string): string {
  let end = host.length;
  while (end > 0 && host[end - 1] === ".") end--;
  return host.slice(0, end);
}
