/** The contract on our SQLite, in a Durable Object's own storage; after every test the database must be sound. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createFileSystem, fsck, openVolume } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { differencesContract } from "./differing.ts";
import { type OurSubject, oursContract } from "./extensions.ts";
import { fileSystemContract } from "./file-system.ts";
import { privilegesContract } from "./privileges.ts";

describe("SQLite", () => {
  fileSystemContract(makeSubject);
  differencesContract(makeSubject, "ours");
  privilegesContract(makeSubject);
  oursContract(makeSubject);
});

let created = 0;

async function makeSubject(): Promise<OurSubject> {
  const stub = env.BARE.getByName(`contract ${created++}`);
  const root = "/contract/root";
  return runInDurableObject(stub, async (_, { storage }) => {
    const volume = openVolume(storage);
    const fs = createFileSystem(volume);
    await fs.mkdir(root, { recursive: true });
    const inside = <T>(body: () => Promise<T>) => runInDurableObject(stub, body);
    const after = async () => expect(await fsck(volume)).toMatchObject({ ok: true, problems: [] });
    return { fs, root, inside, after, as: (identity) => createFileSystem(volume, identity) };
  });
}
