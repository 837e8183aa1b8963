import type { Workspace } from "@cloudflare/workspace";
import { asUnstorageDriver } from "@cloudflare/workspace/adapters/unstorage";
import { createStorage } from "unstorage";

export async function rememberUser(workspace: Pick<Workspace, "fs">): Promise<string[]> {
  const storage = createStorage({ driver: asUnstorageDriver(workspace.fs, { base: "/workspace/data" }) });
  await storage.setItem("users:ada", { name: "Ada" });
  return storage.getKeys("users"); // the file is /workspace/data/users/ada
}
