/** Bodies in workerd: read into a reused buffer, exact to the byte, and never into another page's buffer. */
import { expect, it } from "vitest";
import { type FetchOptions, fetchPage } from "./fetch-page.ts";

const KIB = 1024;
const LIMITS = { bytes: 200 * KIB, textBytes: 1024 * KIB, timeoutMs: 60_000, redirects: 5 };

const web = (answer: (url: string) => Response): FetchOptions => ({
  fetch: (async (input: RequestInfo | URL) => answer(String(input))) as typeof fetch,
  resolve: async () => ["93.184.216.34"],
});
const text = (size: number, start = 0) =>
  Array.from({ length: Math.ceil(size / 8) }, (_, i) => String(start + i).padStart(8, "0"))
    .join("")
    .slice(0, size);

/** In chunks with arbitrary boundaries; workerd reads from it as from the network. */
function streamed(body: string): Response {
  const { readable, writable } = new TransformStream();
  const writer = writable.getWriter();
  const bytes = new TextEncoder().encode(body);
  void (async () => {
    for (let at = 0; at < bytes.length; at += 7001) await writer.write(bytes.subarray(at, at + 7001));
    await writer.close();
  })().catch(() => {});
  return new Response(readable);
}

it.each([0, 1, 64 * KIB - 1, 64 * KIB, 64 * KIB + 1, 150_000, 200 * KIB])(
  "a page of %i bytes is read whole",
  async (n) => {
    for (const make of [(body: string) => new Response(body), streamed]) {
      const page = await fetchPage(
        "http://a.example/",
        web(() => make(text(n))),
        LIMITS,
      );
      expect([page.content === text(n), page.truncated]).toEqual([true, false]);
    }
  },
);

it("a page that is longer is cut at its limit", async () => {
  for (const make of [(body: string) => new Response(body), streamed])
    for (const bytes of [1, 1000, 64 * KIB - 1, 64 * KIB, 64 * KIB + 1, 130_000]) {
      const page = await fetchPage(
        "http://a.example/",
        web(() => make(text(bytes + 1))),
        { ...LIMITS, bytes },
      );
      expect([bytes, page.content === text(bytes), page.truncated]).toEqual([bytes, true, true]);
    }
});

it("pages that are read at the same time, and after one another, do not share their bytes", async () => {
  const options = web((url) => streamed(text(100_000, Number(url.split("-")[1]))));
  const numbers = [1, 22, 333, 4444, 55_555];
  for (let turn = 0; turn < 2; turn++) {
    const pages = await Promise.all(numbers.map((n) => fetchPage(`http://a.example/page-${n}`, options, LIMITS)));
    expect(pages.map(({ content }, i) => content === text(100_000, numbers[i]))).toEqual(numbers.map(() => true));
  }
  expect(
    (
      await fetchPage(
        "http://a.example/",
        web(() => new Response("short")),
        LIMITS,
      )
    ).content,
  ).toBe("short");
});

it("a body that breaks off is an error", async () => {
  const broken = () => {
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    void writer
      .write(new TextEncoder().encode("some"))
      .then(() => writer.abort(new Error("gone")))
      .catch(() => {});
    return new Response(readable);
  };
  await expect(fetchPage("http://a.example/", web(broken), LIMITS)).rejects.toMatchObject({ code: "FETCH_FAILED" });
});
