import { pipeline } from "node:stream/promises";
import type { Workspace } from "@cloudflare/workspace";
import { asNodeFs } from "@cloudflare/workspace/adapters/node-fs";
import glob from "fast-glob";
import tar from "tar-fs";

export async function packSources(workspace: Pick<Workspace, "fs">): Promise<string[]> {
  const fs = asNodeFs(workspace.fs);
  // @types/tar-fs does not know the option `fs`.
  const options = { fs } as tar.PackOptions & tar.ExtractOptions;
  await pipeline(tar.pack("/workspace/src", options), fs.createWriteStream("/workspace/src.tar"));
  await pipeline(fs.createReadStream("/workspace/src.tar"), tar.extract("/workspace/copy", options));
  return glob("**/*.ts", { cwd: "/workspace/copy", fs });
}
