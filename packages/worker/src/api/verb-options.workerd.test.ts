/** Every option of every verb that HTTP has, as a parameter: known where the table has it, and refused by name when misspelled. */
import { LOCAL_KINDS, type OptionTable, VERB_OPTIONS, type VerbWithOptions } from "@workspace/protocol";
import { describe, expect, it } from "vitest";
import { ApiClient, call, TOKEN } from "../testing/api-client.ts";

interface HttpVerb {
  readonly verb: VerbWithOptions;
  readonly route: string;
  readonly body?: Record<string, unknown>;
  readonly query?: Record<string, string>;
  /** Options that the route has in another form, or sets itself. */
  readonly without?: readonly string[];
}

const VERBS: readonly HttpVerb[] = [
  { verb: "grep", route: "search/grep", body: { pattern: "x" }, without: ["mode", "budget"] },
  { verb: "glob", route: "search/glob", query: { pattern: "*" } },
  { verb: "changes", route: "changes", query: {} },
  { verb: "history.log", route: "history", query: {} },
  { verb: "history.groups", route: "history", query: { by: "call" } },
  { verb: "history.diff", route: "history/diff", query: { from: "now" } },
  { verb: "history.undo", route: "history/undo", body: { path: "a", dryRun: true } },
  { verb: "snapshots.create", route: "snapshots", body: { name: "s" } },
  { verb: "snapshots.restore", route: "snapshots/now/restore", body: { dryRun: true } },
  { verb: "rename", route: "rename", body: { from: "a", to: "b" } },
  { verb: "shell.exec", route: "exec", body: { command: "true" }, without: ["stdin", "encoding"] },
  { verb: "shell.list", route: "exec", query: {} },
];

async function answer({ route, body, query }: HttpVerb, option: string, value: unknown): Promise<string> {
  const url = new URL(`https://workspace.example/api/w/options/${route}`);
  const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
  const given = { ...(body ?? query), [option]: value };
  if (query !== undefined) url.search = new URLSearchParams(given as Record<string, string>).toString();
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(given) };
  return (await call(new Request(url, { ...init, headers }))).text();
}

describe("an option over HTTP", () => {
  it.each(VERBS)("$verb: $route has every option of the table, and refuses another by name", async (one) => {
    await new ApiClient("options").put("/a", "x");
    const table = VERB_OPTIONS[one.verb] as OptionTable;
    const where = one.body === undefined ? "query" : "body";
    for (const [name, kind] of Object.entries(table)) {
      if (LOCAL_KINDS.has(kind) || kind === "off" || kind === "any" || one.without?.includes(name)) continue;
      const misspelled = `${name}x`;
      const { error } = JSON.parse(await answer(one, misspelled, "1"));
      expect(error).toMatchObject({
        code: "EINVAL",
        message: `${where}: option "${misspelled}" is not supported; did you mean "${name}"?`,
      });
      // A known option is refused for its value.
      const bad = where === "body" ? { a: [] } : kind === "path" ? "\0" : "";
      expect([name, await answer(one, name, bad)]).toEqual([
        name,
        expect.stringMatching(new RegExp(`"${where}\\.${name}[.:]|${where}: `)),
      ]);
      expect(await answer(one, name, bad)).not.toContain("is not supported");
    }
    expect(await answer(one, "signal", "1")).toContain('option \\"signal\\" is not supported');
  });
});
