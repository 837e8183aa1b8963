/**
 * Web search behind one interface: Tavily and Brave with a key; DuckDuckGo's instant answers without, also as the fallback after a
 * failure.
 */
import { ToolError, toToolError } from "../../errors.ts";

export const SEARCH_PROVIDERS = ["tavily", "brave", "duckduckgo"] as const;
export type SearchProviderName = (typeof SEARCH_PROVIDERS)[number];

export interface SearchOptions {
  fetch?: typeof fetch;
  /** The default provider of a call; default the first with a key. */
  provider?: SearchProviderName;
  keys?: Partial<Record<SearchProviderName, string>>;
  /** Base URLs, for tests and proxies. */
  bases?: Partial<Record<SearchProviderName, string>>;
  timeoutMs?: number;
}

export interface SearchResult {
  title: string;
  url: string;
  content: string;
}

export interface SearchAnswer {
  results: SearchResult[];
  provider: SearchProviderName;
  fellBackFrom?: { provider: SearchProviderName; reason: string };
}

interface Ask {
  query: string;
  count: number;
  base: string;
  key: string;
  fetch: typeof fetch;
  signal: AbortSignal;
}

type SearchProvider = (ask: Ask) => Promise<SearchResult[]>;

const TIMEOUT_MS = 20_000;
const CONTENT_LENGTH = 2000;
const MAX_TOPIC_DEPTH = 10;

export async function searchWeb(
  query: string,
  count: number,
  wanted: SearchProviderName | undefined,
  options: SearchOptions,
): Promise<SearchAnswer> {
  const { keys = {} } = options;
  const first = wanted ?? options.provider ?? SEARCH_PROVIDERS.find((name) => keys[name] !== undefined) ?? "duckduckgo";
  const reason = first !== "duckduckgo" && !keys[first] ? "no key is configured" : await tryOne(first);
  if (typeof reason !== "string") return { results: reason, provider: first };
  if (first === "duckduckgo") throw new ToolError("FETCH_FAILED", `The search failed: ${reason}.`);
  const results = await tryOne("duckduckgo");
  if (typeof results === "string")
    throw new ToolError("FETCH_FAILED", `The search failed: ${first}: ${reason}; duckduckgo: ${results}.`);
  return { results, provider: "duckduckgo", fellBackFrom: { provider: first, reason } };

  async function tryOne(name: SearchProviderName): Promise<SearchResult[] | string> {
    const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
    const fetcher = options.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init));
    // A redirect would take the key to another host, and a query such as "!bang" to any page: it is a failure of the provider.
    const withoutRedirects = (input: RequestInfo | URL, init?: RequestInit) =>
      fetcher(input, { ...init, redirect: "manual" });
    try {
      const found = await PROVIDERS[name]({
        query,
        count,
        base: options.bases?.[name] ?? BASES[name],
        key: keys[name] ?? "",
        fetch: withoutRedirects as typeof fetch,
        signal,
      });
      return found.slice(0, count).map(tidy);
    } catch (error) {
      return toToolError(error).message.replaceAll(keys[name] || "\0", "[key]");
    }
  }
}

const BASES: Readonly<Record<SearchProviderName, string>> = {
  tavily: "https://api.tavily.com",
  brave: "https://api.search.brave.com",
  duckduckgo: "https://api.duckduckgo.com",
};

const PROVIDERS: Readonly<Record<SearchProviderName, SearchProvider>> = {
  tavily: async ({ query, count, base, key, fetch: fetcher, signal }) => {
    const response = await fetcher(`${base}/search`, {
      method: "POST",
      signal,
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: count }),
    });
    const { results = [] } = await json<{ results?: Partial<SearchResult>[] }>(response);
    return results.map(({ title = "", url = "", content = "" }) => ({ title, url, content }));
  },
  brave: async ({ query, count, base, key, fetch: fetcher, signal }) => {
    const parameters = new URLSearchParams({ q: query, count: String(count) });
    const response = await fetcher(`${base}/res/v1/web/search?${parameters}`, {
      signal,
      headers: { accept: "application/json", "x-subscription-token": key },
    });
    const { web } = await json<{ web?: { results?: { title?: string; url?: string; description?: string }[] } }>(
      response,
    );
    return (web?.results ?? []).map(({ title = "", url = "", description = "" }) => ({
      title,
      url,
      content: description,
    }));
  },
  duckduckgo: async ({ query, base, fetch: fetcher, signal }) => {
    const parameters = new URLSearchParams({ q: query, format: "json", no_html: "1", skip_disambig: "1" });
    const response = await fetcher(`${base}/?${parameters}`, { signal, headers: { accept: "application/json" } });
    return instantAnswers(await json<InstantAnswer>(response));
  },
};

interface Topic {
  Text?: string;
  FirstURL?: string;
  Topics?: Topic[];
}

interface InstantAnswer {
  Heading?: string;
  AbstractText?: string;
  AbstractURL?: string;
  Answer?: string;
  Definition?: string;
  DefinitionURL?: string;
  Results?: Topic[];
  RelatedTopics?: Topic[];
}

function instantAnswers(found: InstantAnswer): SearchResult[] {
  const results: SearchResult[] = [];
  const add = (title: string, url: string | undefined, content: string | undefined) => {
    if (content) results.push({ title, url: url ?? "", content });
  };
  if (typeof found.Answer === "string") add(found.Heading || "Answer", found.AbstractURL, found.Answer);
  add(found.Heading ?? "", found.AbstractURL, found.AbstractText);
  add(found.Heading ?? "", found.DefinitionURL, found.Definition);
  const topics = (list: readonly Topic[] = [], depth = 0) => {
    for (const { Text, FirstURL, Topics } of list) {
      if (Topics === undefined) add(Text?.split(" - ")[0] ?? "", FirstURL, Text);
      else if (depth < MAX_TOPIC_DEPTH) topics(Topics, depth + 1);
    }
  };
  topics(found.Results);
  topics(found.RelatedTopics);
  return results;
}

async function json<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return (await response.json()) as T;
}

function tidy({ title, url, content }: SearchResult): SearchResult {
  return {
    title: plain(String(title), 300),
    url: String(url).slice(0, 2000),
    content: plain(String(content), CONTENT_LENGTH),
  };
}

/** Without markup and with single spaces, truncated to `length`. Examining twice that is usually enough. */
function plain(text: string, length: number): string {
  if (text.length > 3 * length) {
    const head = text.slice(0, 2 * length);
    const open = head.lastIndexOf("<");
    // Do not cut inside a tag.
    const shown = stripped(open > head.lastIndexOf(">") ? head.slice(0, open) : head);
    if (shown.length > length) return shown.slice(0, length);
  }
  return stripped(text).slice(0, length);
}

function stripped(text: string): string {
  const bare = withoutTags(text);
  // As `\s+` would, without a match for every space between two words.
  return bare
    .replace(/[^\S ]+/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** As `/<[^>]+>/g` would, without a search from every `<` of a text that has no `>`. */
function withoutTags(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let open = text.indexOf("<"); open >= 0; open = text.indexOf("<", open)) {
    const close = text.indexOf(">", open + 1);
    if (close < 0) break;
    if (close === open + 1) {
      open++;
      continue;
    }
    parts.push(text.slice(from, open));
    open = from = close + 1;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
