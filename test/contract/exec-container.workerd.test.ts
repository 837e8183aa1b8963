/** The contract of `ExecBackend` on a container, with `workspaced` as a plain process: its root is the workspace's, so paths are the same. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { containerOn, DaemonFixture } from "@workspace/testing/daemon-fixture";
import { createFileSystem, openVolume } from "@workspace/vfs";
import { describe } from "vitest";
import { execBackendContract } from "./exec-backend.ts";
import type { ExecSubject } from "./exec-subject.ts";

describe("container", () => {
  execBackendContract(makeSubject);
});

let created = 0;

async function makeSubject(): Promise<ExecSubject> {
  const stub = env.BARE.getByName(`exec container ${created++}`);
  const daemon = await DaemonFixture.start();
  return runInDurableObject(stub, async (_, { storage }) => {
    const volume = openVolume(storage, { root: daemon.root });
    const fs = createFileSystem(volume);
    const cwd = `${daemon.root}/contract`;
    await fs.mkdir(cwd, { recursive: true });
    const container = containerOn(volume, daemon);
    const inside = <T>(body: () => Promise<T>) => runInDurableObject(stub, body);
    const after = async () => {
      container.link.close();
      await daemon[Symbol.asyncDispose]();
    };
    // Input after the start needs a stream at the start: without one a command reads nothing.
    return {
      backend: container.backend,
      fs,
      cwd,
      can: { liveInput: false, background: true, traps: true },
      inside,
      after,
    };
  });
}
