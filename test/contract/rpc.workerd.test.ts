/** The contract through `getWorkspace`, over Workers RPC to an object of our class; after every test its database must be sound. */
import { env } from "cloudflare:workers";
import { getWorkspace } from "@cloudflare/workspace";
import { describe, expect } from "vitest";
import { differencesContract } from "./differing.ts";
import { type OurSubject, oursContract } from "./extensions.ts";
import { fileSystemContract } from "./file-system.ts";
import { privilegesContract } from "./privileges.ts";

describe("getWorkspace", () => {
  fileSystemContract(makeSubject);
  differencesContract(makeSubject, "ours");
  privilegesContract(makeSubject);
  oursContract(makeSubject);
});

let created = 0;

async function makeSubject(): Promise<OurSubject> {
  const workspace = getWorkspace(env.WORKSPACE, `contract ${created++}`);
  const root = "/contract/root";
  await workspace.fs.mkdir(root, { recursive: true });
  const after = async () => {
    expect(await workspace.fsck()).toMatchObject({ ok: true, problems: [] });
    workspace[Symbol.dispose]();
  };
  return { fs: workspace.fs, root, after, as: (identity) => workspace.as(identity).fs };
}
