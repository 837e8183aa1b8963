/** The same scenarios in a Durable Object, through `workspace.git.cli`; real git plays them in Node beside it. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";
import { topics } from "./all-scenarios.ts";
import { compareRecordings } from "./compare.ts";
import { playOurGit, type RunOurs } from "./our-git.ts";
import { treeIn } from "./planted-tree.ts";
import { type Recording, type Scenario, timeOfStep } from "./scenario.ts";
import { toJson } from "./scenario-json.ts";

const root = "/workspace/oracle/ours";
const home = "/workspace/oracle/home";

async function ask<T>(method: "POST" | "PUT", value: unknown): Promise<T> {
  const response = await env.REAL_GIT.fetch("http://git/", { method, body: toJson(value) });
  if (!response.ok) throw new Error(await response.text());
  return response.json<T>();
}

let created = 0;

async function playInObject(scenario: Scenario): Promise<Recording> {
  return runInDurableObject(env.BARE.getByName(`scenario ${created++}`), async (_, { storage }) => {
    let microseconds = timeOfStep(0) * 1e6;
    const { fs, git } = new Workspace({ storage, now: () => microseconds });
    const run: RunOurs = ({ now }, call) => {
      microseconds = now() * 1000;
      return git.cli(call);
    };
    await fs.mkdir(root, { recursive: true });
    await fs.mkdir(home, { recursive: true });
    const outputs = await playOurGit(scenario, { fs, root, home }, run);
    const tree = await treeIn(fs, root);
    return { outputs, state: await ask<Recording["state"]>("PUT", { scenario, tree, root }) };
  });
}

describe.each(topics)("$name", ({ scenarios }) => {
  it.each(scenarios)("$name", async (scenario) => {
    const reported = compareRecordings(scenario, await ask<Recording>("POST", scenario), await playInObject(scenario));
    if (reported !== null) expect.fail(reported);
  });
});
