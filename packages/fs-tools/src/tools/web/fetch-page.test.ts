/** Pages as text: redirects, budgets, charsets, and one request for concurrent callers. */
import { describe, expect, it, vi } from "vitest";
import { InMemoryFileStore } from "../../store/in-memory-file-store.ts";
import { createToolset } from "../../toolset/create-toolset.ts";
import { dnsOverHttps } from "./check-address.ts";
import { type FetchOptions, fetchPage } from "./fetch-page.ts";
import { htmlToText } from "./html-to-text.ts";

const PUBLIC = "93.184.216.34";
const resolve = async () => [PUBLIC];

const LIMITS = { bytes: 1000, textBytes: 500, timeoutMs: 60_000, redirects: 5 };

/** A web of canned responses, and the recorded requests. */
function web(pages: Record<string, () => Response>): FetchOptions & { asked: string[] } {
  const asked: string[] = [];
  const fetcher = async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = String(input);
    asked.push(url);
    expect(init?.redirect).toBe("manual");
    return pages[url]?.() ?? new Response("none", { status: 404 });
  };
  return { fetch: fetcher as typeof fetch, resolve, asked };
}

const redirect = (to: string) => () => new Response(null, { status: 302, headers: { location: to } });

describe("fetchPage", () => {
  it("turns HTML into text and says where it ended up", async () => {
    const options = web({
      "http://a.example/": redirect("/b"),
      "http://a.example/b": () =>
        new Response("<title>T</title><h1>Hi</h1><p>a <a href='/x'>b</a></p>", {
          headers: { "content-type": "text/html" },
        }),
    });
    expect(await fetchPage("http://a.example/", options, LIMITS)).toEqual({
      url: "http://a.example/b",
      status: 200,
      contentType: "text/html",
      title: "T",
      content: "# Hi\n\na [b](http://a.example/x)",
      truncated: false,
    });
  });

  it.each([
    "http://127.0.0.1/",
    "http://169.254.169.254/",
    "//10.0.0.1/",
    "file:///etc/passwd",
    "http://[::1]/",
    "http://2130706433/",
  ])("checks a redirect to %s", async (to) => {
    const options = web({ "http://a.example/": redirect("http://b.example/"), "http://b.example/": redirect(to) });
    await expect(fetchPage("http://a.example/", options, LIMITS)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    expect(options.asked).toEqual(["http://a.example/", "http://b.example/"]);
  });

  it("resolves again at each hop: a name that is rebound is caught", async () => {
    const answers = [[PUBLIC], ["127.0.0.1"]];
    const options = {
      ...web({ "http://a.example/": redirect("http://a.example/again") }),
      resolve: async () => answers.shift() ?? [],
    };
    await expect(fetchPage("http://a.example/", options, LIMITS)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
  });

  it("follows five redirects and not six", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 6 }, (_, i) => [`http://a.example/${i}`, redirect(`http://a.example/${i + 1}`)]),
    );
    const end = { "http://a.example/6": () => new Response("end") };
    expect((await fetchPage("http://a.example/1", web({ ...pages, ...end }), LIMITS)).content).toBe("end");
    await expect(fetchPage("http://a.example/0", web({ ...pages, ...end }), LIMITS)).rejects.toThrow(
      "more than 5 times",
    );
  });

  it.each([
    [1000, false],
    [1001, true],
  ])("reads %i bytes: cut is %s", async (size, cut) => {
    const options = web({ "http://a.example/": () => new Response("é".repeat(size / 2) + (size % 2 ? "x" : "")) });
    const page = await fetchPage("http://a.example/", options, { ...LIMITS, textBytes: 5000 });
    expect(page.truncated).toBe(cut);
    const short = await fetchPage(
      "http://a.example/",
      web({ "http://a.example/": () => new Response("y".repeat(501)) }),
      LIMITS,
    );
    expect([short.content.length, short.truncated]).toEqual([500, true]);
  });

  it("makes one request for callers at the same time", async () => {
    const options = web({ "http://a.example/": () => new Response("once") });
    const [first, second] = await Promise.all([
      fetchPage("http://a.example/", options, LIMITS),
      fetchPage("http://a.example/", options, LIMITS),
    ]);
    expect([first.content, second.content, options.asked.length]).toEqual(["once", "once", 1]);
    await fetchPage("http://a.example/", options, LIMITS);
    expect(options.asked.length).toBe(2);
  });

  it("honours the charset, and refuses what is binary", async () => {
    const latin = web({
      "http://a.example/": () =>
        new Response(Uint8Array.of(0x63, 0x61, 0x66, 0xe9), {
          headers: { "content-type": "text/plain; charset=iso-8859-1" },
        }),
    });
    expect((await fetchPage("http://a.example/", latin, LIMITS)).content).toBe("café");
    const binary = web({ "http://a.example/": () => new Response(Uint8Array.of(1, 0, 2)) });
    await expect(fetchPage("http://a.example/", binary, LIMITS)).rejects.toMatchObject({ code: "BINARY_FILE" });
  });

  it("stops at its timeout", async () => {
    const never = {
      fetch: ((_: unknown, init: RequestInit) =>
        new Promise((_resolve, reject) =>
          init.signal!.addEventListener("abort", () => reject(init.signal!.reason)),
        )) as typeof fetch,
      resolve,
    };
    await expect(fetchPage("http://a.example/", never, { ...LIMITS, timeoutMs: 20 })).rejects.toThrow(
      "no answer within 20 ms",
    );
  });

  it("leaves no timer behind, whatever became of the page", async () => {
    vi.useFakeTimers();
    try {
      const options = web({ "http://a.example/": () => new Response("x") });
      await fetchPage("http://a.example/", options, LIMITS);
      await expect(fetchPage("http://10.0.0.1/", options, LIMITS)).rejects.toThrow();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("web_fetch and web_search, with the limits they have by themselves", () => {
  const serving = (body: string, headers: Record<string, string> = {}) =>
    createToolset({
      store: new InMemoryFileStore(),
      web: { fetch: (async () => new Response(body, { headers })) as unknown as typeof fetch, resolve },
      search: {
        fetch: (async () =>
          Response.json({
            Heading: "h",
            RelatedTopics: Array.from({ length: 30 }, (_, i) => ({ Text: `t${i}`, FirstURL: `http://r/${i}` })),
          })) as unknown as typeof fetch,
      },
    });
  const fetched = async (body: string, input: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    (await (await serving(body, headers)).handle("web_fetch", { url: "http://a.example/", ...input })).structured as {
      content: string;
      truncated: boolean;
    };
  const html = { "content-type": "text/html" };

  it.each([
    [500_000, false],
    [500_001, true],
  ])("reads %i bytes of a page: truncated is %s", async (size, truncated) => {
    const page = await fetched(`<p>x</p>${" ".repeat(size - 8)}`, {}, html);
    expect([page.content, page.truncated]).toEqual(["x", truncated]);
  });

  it.each([
    [100_000, false],
    [100_001, true],
  ])("returns %i bytes of text: truncated is %s", async (size, truncated) => {
    const page = await fetched("x".repeat(size));
    expect([page.content.length, page.truncated]).toEqual([100_000, truncated]);
  });

  it("takes a smaller maxSize, and none that is larger", async () => {
    expect(await fetched("x".repeat(200), { maxSize: 100 })).toMatchObject({
      content: "x".repeat(100),
      truncated: true,
    });
    expect((await fetched(" ".repeat(500_001), { maxSize: 9_000_000 })).truncated).toBe(true);
  });

  it("gives 5 results, or as many as are asked for up to 20", async () => {
    const toolset = await serving("");
    const count = async (input: Record<string, unknown>) =>
      ((await toolset.handle("web_search", { query: "q", ...input })).structured.results as unknown[]).length;
    expect([await count({}), await count({ maxResults: 6 }), await count({ maxResults: 99 })]).toEqual([5, 6, 20]);
  });
});

it("a page says its charset itself, and a redirect to nothing is an error", async () => {
  const bytes = new Uint8Array([...new TextEncoder().encode('<meta charset="windows-1252"><p>caf'), 0xe9, 0x93]);
  const page = web({ "http://a.example/": () => new Response(bytes, { headers: { "content-type": "text/html" } }) });
  expect((await fetchPage("http://a.example/", page, LIMITS)).content).toBe("caf\u00e9\u201c");
  const nowhere = web({ "http://a.example/": redirect("http://") });
  await expect(fetchPage("http://a.example/", nowhere, LIMITS)).rejects.toMatchObject({ code: "FETCH_FAILED" });
});

it("dnsOverHttps asks for both kinds of address, and a name that is rebound between hops is caught through it", async () => {
  const requested: string[] = [];
  const answers = [PUBLIC, "10.0.0.7"];
  const fetcher = (async (input: RequestInfo | URL) => {
    const url = new URL(String(input));
    requested.push(
      `${url.hostname} ${url.searchParams.get("name") ?? url.pathname} ${url.searchParams.get("type") ?? ""}`,
    );
    if (url.hostname === "dns.example") {
      const data = url.searchParams.get("type") === "A" ? answers.shift() : undefined;
      const cname = { type: 5, data: "alias.example." };
      return Response.json({ Answer: data === undefined ? [cname] : [cname, { type: 1, data }] });
    }
    return new Response(null, { status: 302, headers: { location: "http://rebound.example/again" } });
  }) as typeof fetch;
  const options = { fetch: fetcher, resolve: dnsOverHttps(fetcher, "https://dns.example/dns-query") };
  await expect(fetchPage("http://rebound.example/", options, LIMITS)).rejects.toMatchObject({
    code: "ADDRESS_REFUSED",
  });
  expect(requested).toEqual([
    "dns.example rebound.example A",
    "dns.example rebound.example AAAA",
    "rebound.example / ",
    "dns.example rebound.example A",
    "dns.example rebound.example AAAA",
  ]);
  const failing = (async () => new Response("", { status: 500 })) as unknown as typeof fetch;
  await expect(
    fetchPage("http://a.example/", { fetch: failing, resolve: dnsOverHttps(failing) }, LIMITS),
  ).rejects.toMatchObject({ code: "FETCH_FAILED" });
});

it("htmlToText keeps headings, lists, links and code, and drops scripts and styles", () => {
  const html = `<!doctype html><html><head><title>x</title><style>p{}</style></head><body><script>if (a < b) alert("</p>")</script>
    <h2>Head &amp; tail</h2><ul><li>one<li>two <b>bold</b></ul><pre>  keep
    this</pre><p>call <code>f()</code> &#x2713; &nbsp;<a href="javascript:x">no</a></p><!-- gone --><table><tr><td>a</td><td>b</td></tr></table></body></html>`;
  expect(htmlToText(html).text).toBe(
    "## Head & tail\n\n- one\n- two bold\n\n```\n  keep\n    this\n```\n\ncall `f()` ✓ no\n\na | b |",
  );
});
