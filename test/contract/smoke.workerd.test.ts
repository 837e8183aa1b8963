import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
it("runs", async () => {
  const stub = (env as any).BARE.getByName("x");
  const n = await runInDurableObject(stub, (_o: unknown, state: DurableObjectState) => state.storage.sql.exec("select 1 as a").one().a);
  expect(n).toBe(1);
});
