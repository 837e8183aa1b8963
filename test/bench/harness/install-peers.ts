/** Installs the peers that the bench compares with, once per lock file: they are no dependency of the project. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BenchError } from "./bench-error.ts";

export function installPeers(folder: string): void {
  const stamp = join(folder, "node_modules", ".bench-setup");
  const wanted = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.error("Installing the peers to compare with (once)…");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    throw new BenchError("npm ci in test/bench/peers failed; the cause is above. Without the peers: --only ours,bare");
  }
  writeFileSync(stamp, wanted);
}

export function peerVersion(folder: string, name: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
  return manifest.version as string;
}
