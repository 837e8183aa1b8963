/** The contract on `node:fs` itself: what it asserts is Node's behavior, or this fails. */
import * as node from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { differencesContract } from "./differing.ts";
import { fileSystemContract } from "./file-system.ts";
import { createNodeFileSystem } from "./node-file-system.ts";
import { privilegesContract } from "./privileges.ts";

describe("node:fs", async () => {
  const base = await node.realpath(await node.mkdtemp(join(tmpdir(), "contract-")));
  const fs = createNodeFileSystem();
  process.umask(0o022);
  afterAll(() => node.rm(base, { recursive: true, force: true }));
  let created = 0;
  const makeSubject = async () => {
    const root = join(base, String(created++));
    await node.mkdir(root);
    return { fs, root };
  };
  fileSystemContract(makeSubject);
  differencesContract(makeSubject, "node");
  if (process.getuid?.() === 0) privilegesContract(makeSubject);
  else it.skip("mode bits are not enforced for root: run as root to compare", () => {});
});
