/** A user's own test, with the Workers plugin of vitest: it must be able to load the packages. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

it("a workspace works under vitest", async () => {
  const agent = (env as unknown as { AGENT: DurableObjectNamespace }).AGENT.getByName("vitest") as unknown as {
    work(): Promise<{ log: string }>;
  };
  expect((await agent.work()).log).toBe("first\nhello\n");
});
