/** Search providers, their keys, and the fallback after a failure. */
import { describe, expect, it } from "vitest";
import { searchWeb } from "./search-web.ts";

describe("searchWeb", () => {
  const requested: { url: string; init?: RequestInit }[] = [];
  const answering = (answers: Record<string, () => Response>) => {
    requested.length = 0;
    return (async (input: RequestInfo | URL, init?: RequestInit) => {
      requested.push({ url: String(input), init });
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
    expect(new Headers(requested[0]!.init?.headers).get("authorization")).toBe("Bearer TK");
    expect(await searchWeb("rust", 5, "brave", options)).toEqual({
      results: [{ title: "a", url: "u", content: "c" }],
      provider: "brave",
    });
    expect(new Headers(requested[1]!.init?.headers).get("x-subscription-token")).toBe("BK");
  });

  it("tidies no more of a long result than it shows, and shows what tidying all of it would", async () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i} \n `).join("");
    for (const content of [
      words(50),
      words(5000),
      `<p>${words(5000)}`,
      `${words(300)}<b>${words(300)}</b>${words(3000)}`,
      `${"<i></i>".repeat(2000)}${words(1000)}`,
      `${words(650)}<a href="${"x".repeat(3000)}">${words(1000)}`,
      `${words(600)} 1 < 2 ${words(1000)} > ${words(1000)}`,
      " ".repeat(9000) + words(1000),
      "a <> b <<c> d > e <f",
      `<b>${"x<>".repeat(3000)}<i`,
    ]) {
      const fetcher = answering({
        "https://api.tavily.com/": () => Response.json({ results: [{ title: content, url: "u", content }] }),
      });
      const { results } = await searchWeb("q", 1, "tavily", { fetch: fetcher, keys: { tavily: "k" } });
      const all = content
        .replace(/<[^>]+>/g, "")
        .replace(/\s+/g, " ")
        .trim();
      expect(results).toEqual([{ title: all.slice(0, 300), url: "u", content: all.slice(0, 2000) }]);
    }
  });

  it("takes a result of a million signs and topics within topics", async () => {
    const content = "<".repeat(1_000_000);
    const deep = `${'{"Topics":['.repeat(5000)}${"]}".repeat(5000)}`;
    const fetcher = answering({
      "https://api.tavily.com/": () => Response.json({ results: [{ title: "a", url: "u", content }] }),
      "https://api.duckduckgo.com/": () => new Response(`{"AbstractText":"b","RelatedTopics":[${deep}]}`),
    });
    const options = { fetch: fetcher, keys: { tavily: "k" } };
    expect((await searchWeb("q", 1, "tavily", options)).results[0]?.content).toBe("<".repeat(2000));
    expect((await searchWeb("q", 1, "duckduckgo", options)).results).toEqual([{ title: "", url: "", content: "b" }]);
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
