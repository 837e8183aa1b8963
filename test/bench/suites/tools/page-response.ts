/** What the web answers in the bench: a page of 5 KB, or five results of a search with as much text each. */
const TEXT = "A line of the page, as long as lines of pages are.\n".repeat(100);
const FOUND = Array.from({ length: 5 }, (_, i) => ({
  title: `Page ${i}`,
  url: `https://example.com/${i}`,
  content: TEXT,
  description: TEXT,
}));
/** As each provider gives it. */
const RESULTS = { results: FOUND, web: { results: FOUND } };
export function pageResponse(path: string): Response {
  if (path.includes("search")) return Response.json(RESULTS);
  return new Response(TEXT, { headers: { "content-type": "text/plain; charset=utf-8" } });
}
