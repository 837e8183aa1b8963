/** The contract of `ExecBackend` on the Worker's own shell. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createWorkerBackend } from "@workspace/shell";
import { createFileSystem, createLocalEngine, openVolume, runRg, searchText } from "@workspace/vfs";
import { describe } from "vitest";
import { execBackendContract } from "./exec-backend.ts";
import type { ExecSubject } from "./exec-subject.ts";

describe("worker", () => {
  execBackendContract(makeSubject);
});

let created = 0;

async function makeSubject(): Promise<ExecSubject> {
  const stub = env.BARE.getByName(`exec contract ${created++}`);
  return runInDurableObject(stub, async (_, { storage }) => {
    const volume = openVolume(storage);
    const fs = createFileSystem(volume);
    const cwd = "/workspace/contract";
    await fs.mkdir(cwd, { recursive: true });
    const backend = createWorkerBackend({
      root: volume.root,
      fileSystem: ({ actor, callId }) => createFileSystem(volume, { actor, callId }),
      git: () => null,
      rg: (argv, io) => runRg(volume, argv, io),
      engine: createLocalEngine(volume),
      searchText,
    });
    const inside = <T>(body: () => Promise<T>) => runInDurableObject(stub, body);
    return { backend, fs, cwd, can: { liveInput: false, background: false, traps: false }, inside };
  });
}
