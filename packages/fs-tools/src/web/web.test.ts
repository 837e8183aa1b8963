import { describe, expect, it } from "vitest";
import { checkAddress } from "./check-address.ts";
import { type FetchOptions, fetchPage } from "./fetch-page.ts";
import { htmlToText } from "./html-to-text.ts";
import { searchWeb } from "./search-web.ts";

const PUBLIC = "93.184.216.34";
const resolve = async () => [PUBLIC];

const REFUSED = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://127.0.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.0.0.1/",
  "http://0177.0.0.1/",
  "http://017700000001/",
  "http://127.0.0.1./",
  "http://0/",
  "http://0.0.0.0/",
  "http://0x0/",
  "http://localhost/",
  "http://LOCALHOST/",
  "http://localhost./",
  "http://foo.localhost/",
  "http://localhost.localdomain/",
  "http://ip6-localhost/",
  "http://[::1]/",
  "http://[::]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::127.0.0.1]/",
  "http://[::ffff:0:127.0.0.1]/",
  "http://[64:ff9b::127.0.0.1]/",
  "http://[64:ff9b:1::1]/",
  "http://[2002:7f00:1::]/",
  "http://[2001::1]/",
  "http://[2001:db8::1]/",
  "http://[fc00::1]/",
  "http://[fd00:ec2::254]/",
  "http://[fe80::1]/",
  "http://[fec0::1]/",
  "http://[ff02::1]/",
  "http://[100::1]/",
  "http://[4000::1]/",
  "http://10.0.0.1/",
  "http://10.255.255.255/",
  "http://012.0.0.1/",
  "http://0xa000001/",
  "http://167772161/",
  "http://172.16.0.1/",
  "http://172.31.255.255/",
  "http://192.168.0.1/",
  "http://192.168.1/",
  "http://3232235521/",
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://0251.0376.0251.0376/",
  "http://[::ffff:169.254.169.254]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://100.100.100.200/",
  "http://168.63.129.16/",
  "http://192.0.0.192/",
  "http://100.64.0.1/",
  "http://198.18.0.1/",
  "http://192.0.2.1/",
  "http://198.51.100.1/",
  "http://203.0.113.1/",
  "http://224.0.0.1/",
  "http://240.0.0.1/",
  "http://255.255.255.255/",
  "http://metadata.google.internal/",
  "http://printer.local/",
  "http://router.lan/",
  "http://intranet/",
  "http://kubernetes.default.svc.cluster.local/",
  "http://user:pass@example.com/",
  "http://user@example.com/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "data:text/plain,x",
  "javascript:alert(1)",
  "blob:https://example.com/x",
  "http://１２７.０.０.１/",
  "http://①②⑦.⓪.⓪.①/",
  "http://127。0。0。1/",
];

describe("checkAddress", () => {
  it("has at least 60 addresses to hold against", () => expect(REFUSED.length).toBeGreaterThanOrEqual(60));

  it.each(REFUSED)("refuses %s", async (url) => {
    await expect(checkAddress(url, { resolve })).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
  });

  it.each([
    "http://example.com/",
    "https://8.8.8.8/",
    "http://[2606:4700::1111]/",
    "https://172.32.0.1/",
    "http://172.15.0.1/",
    "https://192.169.0.1/",
    "http://a..b.example.com.../x",
  ])("lets %s pass", async (url) => {
    if (!URL.canParse(url)) return;
    expect((await checkAddress(url, { resolve })).href).toContain("://");
  });

  it.each([
    ["127.0.0.1"],
    ["10.1.2.3"],
    ["169.254.169.254"],
    ["::1"],
    ["::ffff:10.0.0.1"],
    ["fd00::1"],
    [PUBLIC, "192.168.0.1"],
    ["not an address"],
  ])("refuses a name that resolves to %j", async (...answers) => {
    await expect(checkAddress("http://evil.example/", { resolve: async () => answers })).rejects.toMatchObject({
      code: "ADDRESS_REFUSED",
    });
  });

  it("says when a name does not resolve", async () => {
    await expect(checkAddress("http://a.example/", { resolve: async () => [] })).rejects.toMatchObject({
      code: "FETCH_FAILED",
    });
    const broken = async () => Promise.reject(new Error("down"));
    await expect(checkAddress("http://a.example/", { resolve: broken })).rejects.toMatchObject({
      code: "FETCH_FAILED",
    });
  });

  it("opens loopback alone with allowLocalFetch", async () => {
    const policy = { resolve, allowLocalFetch: true };
    for (const url of ["http://127.0.0.1:8080/", "http://localhost:3000/", "http://[::1]/"])
      expect((await checkAddress(url, policy)).href).toBe(url);
    for (const url of [
      "http://10.0.0.1/",
      "http://169.254.169.254/",
      "http://[::ffff:192.168.0.1]/",
      "http://0.0.0.0/",
    ])
      await expect(checkAddress(url, policy)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    await expect(
      checkAddress("http://evil.example/", { ...policy, resolve: async () => ["127.0.0.1"] }),
    ).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
  });
});

const LIMITS = { bytes: 1000, textBytes: 500, timeoutMs: 1000, redirects: 5 };

/** A web of canned answers, and what was asked of it. */
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

  it("gives up after its time", async () => {
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
});

it("htmlToText keeps headings, lists, links and code, and drops scripts and styles", () => {
  const html = `<!doctype html><html><head><title>x</title><style>p{}</style></head><body><script>if (a < b) alert("</p>")</script>
    <h2>Head &amp; tail</h2><ul><li>one<li>two <b>bold</b></ul><pre>  keep
    this</pre><p>call <code>f()</code> &#x2713; &nbsp;<a href="javascript:x">no</a></p><!-- gone --><table><tr><td>a</td><td>b</td></tr></table></body></html>`;
  expect(htmlToText(html).text).toBe(
    "## Head & tail\n\n- one\n- two bold\n\n```\n  keep\n    this\n```\n\ncall `f()` ✓ no\n\na | b |",
  );
});

describe("searchWeb", () => {
  const asked: { url: string; init?: RequestInit }[] = [];
  const answering = (answers: Record<string, () => Response>) => {
    asked.length = 0;
    return (async (input: RequestInfo | URL, init?: RequestInit) => {
      asked.push({ url: String(input), init });
      const found = Object.entries(answers).find(([start]) => String(input).startsWith(start));
      return found?.[1]() ?? new Response("", { status: 500 });
    }) as typeof fetch;
  };
  const ddg = () =>
    Response.json({
      Heading: "Rust",
      AbstractText: "A language.",
      AbstractURL: "https://r.example",
      RelatedTopics: [
        { Text: "Cargo - a tool", FirstURL: "https://c.example" },
        { Topics: [{ Text: "Crab", FirstURL: "https://f.example" }] },
      ],
    });

  it("asks Tavily and Brave with their keys", async () => {
    const bases = { tavily: "https://t.example", brave: "https://b.example", duckduckgo: "https://d.example" };
    const fetcher = answering({
      "https://t.example/search": () =>
        Response.json({
          results: [
            { title: "a", url: "u", content: "c" },
            { title: "b", url: "v", content: "d" },
          ],
        }),
      "https://b.example/res/v1/web/search?q=rust&count=5": () =>
        Response.json({ web: { results: [{ title: "<b>a</b>", url: "u", description: "c" }] } }),
    });
    const options = { fetch: fetcher, bases, keys: { tavily: "TK", brave: "BK" } };
    expect(await searchWeb("rust", 1, undefined, options)).toEqual({
      results: [{ title: "a", url: "u", content: "c" }],
      provider: "tavily",
    });
    expect(new Headers(asked[0]!.init?.headers).get("authorization")).toBe("Bearer TK");
    expect(await searchWeb("rust", 5, "brave", options)).toEqual({
      results: [{ title: "a", url: "u", content: "c" }],
      provider: "brave",
    });
    expect(new Headers(asked[1]!.init?.headers).get("x-subscription-token")).toBe("BK");
  });

  it("falls back to DuckDuckGo without a key, and when a provider fails", async () => {
    const options = { fetch: answering({ "https://api.duckduckgo.com/": ddg }), keys: { brave: "SECRET" } };
    expect(await searchWeb("rust", 2, "tavily", options)).toEqual({
      results: [
        { title: "Rust", url: "https://r.example", content: "A language." },
        { title: "Cargo", url: "https://c.example", content: "Cargo - a tool" },
      ],
      provider: "duckduckgo",
      fellBackFrom: { provider: "tavily", reason: "no key is configured" },
    });
    expect((await searchWeb("rust", 5, "brave", options)).fellBackFrom).toEqual({
      provider: "brave",
      reason: "it answered 500",
    });
    await expect(searchWeb("rust", 5, undefined, { fetch: answering({}) })).rejects.toMatchObject({
      code: "FETCH_FAILED",
    });
  });
});
