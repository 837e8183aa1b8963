/**
 * Hostile tool calls, each with a probe beside it on the same object. The call returns a bounded answer and does not throw, and the
 * object answers the probe.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createToolset } from "@cloudflare/fs-tools";
import { Workspace } from "@cloudflare/workspace";
import { beforeAll, expect, it } from "vitest";
import { hostileFiles, hostileToolCalls } from "./hostile/tool-calls.ts";

const ROOT = "/workspace/hostile";
const MAX_ANSWER = 300 * 1024;
const MAX_ERROR = 20 * 1024;

const stub = env.BARE.getByName("hostile tool calls");
const inside = <T>(body: (workspace: Workspace) => Promise<T>): Promise<T> =>
  runInDurableObject(stub, (_, { storage }) => body(new Workspace({ storage })));

beforeAll(() =>
  inside(async ({ fs }) => {
    await fs.mkdir(ROOT, { recursive: true });
    for (const [name, content] of Object.entries(hostileFiles)) await fs.writeFile(`${ROOT}/${name}`, content);
  }),
);

const titled = hostileToolCalls.map((call, i) => ({ ...call, title: `${i + 1}, ${call.tool.slice(0, 20)}` }));

it.each(titled)("call $title is answered within its limits, beside a probe", async ({ tool, input }) => {
  const { page, ...rest } = input;
  const given = page === undefined ? rest : { url: "http://a.example/" };
  const call = inside(async (workspace) => {
    const headers = { "content-type": "text/html" };
    const web = {
      resolve: async () => ["93.184.216.34"],
      fetch: (async () => new Response(String(page), { headers })) as unknown as typeof fetch,
    };
    const toolset = await createToolset({ workspace, root: ROOT, role: "full", web, mode: "propose" });
    const { content, structured, isError } = await toolset.handle(tool, given);
    await toolset.proposals.drop();
    return { content: content.length, structured: JSON.stringify(structured).length, isError };
  });
  const probe = inside(({ fs }) => fs.stat(ROOT));
  const [answer, stat] = await Promise.all([call, probe]);
  expect(stat.type).toBe("dir");
  expect(answer.content).toBeLessThanOrEqual(answer.isError ? MAX_ERROR : MAX_ANSWER);
  expect(answer.structured).toBeLessThanOrEqual(answer.isError ? MAX_ERROR : MAX_ANSWER);
});
