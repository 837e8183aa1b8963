import { expect, it } from "vitest";
import { InMemoryFileStore } from "../store/in-memory-file-store.ts";
import { createToolset } from "./create-toolset.ts";

it("createToolset reads and writes through a store", async () => {
  const toolset = await createToolset({ store: new InMemoryFileStore({ "/a.txt": "one\ntwo\n" }) });
  expect((await toolset.handle("read", { path: "a.txt" })).structured).toMatchObject({
    content: "one\ntwo\n",
    totalLines: 2,
  });
  expect((await toolset.handle("write", { path: "b.txt", content: "x" })).structured).toMatchObject({
    ok: true,
    path: "/b.txt",
  });
  expect((await toolset.handle("nope", {})).content).toContain("Tools: ");
});
