/** Installs the peers that the bench compares with, once per lock file: they are no dependency of the project. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installProject } from "../../../scripts/setup.mjs";
import { BenchError } from "./bench-error.ts";

export function installPeers(folder: string): void {
  try {
    installProject(folder);
  } catch (error) {
    throw new BenchError(`${(error as Error).message} Without the peers: --only ours,bare`);
  }
}

export function peerVersion(folder: string, name: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
  return manifest.version as string;
}
