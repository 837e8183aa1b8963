/** The vendored just-bash, and the licenses of everything we ship. One file, because both install the nested project scripts/just-bash. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { root } from "./imports.ts";

it("THIRD_PARTY_NOTICES.txt of every bundle names what is bundled", () => {
  execFileSync(process.execPath, ["scripts/notices.mjs", "--check"], { cwd: root });
});

it.each([
  ["packages/worker", ["hono", "zod", "just-bash", "re2js", "sprintf-js"]],
  ["packages/studio/public", ["@xterm/xterm", "@codemirror/view", "dompurify", "marked", "preact"]],
  ["packages/shell/vendor", ["re2js", "sprintf-js"]],
  ["container", ["ws", "ripgrep"]],
  ["packages/cli", ["ws"]],
])("%s has the notices of its largest parts", (folder, names) => {
  const text = readFileSync(join(root, folder, "THIRD_PARTY_NOTICES.txt"), "utf8");
  for (const name of names) expect(text).toMatch(new RegExp(`^${name} .*\nLicense: \\S`, "m"));
});

/** Gzipped. */
const MAX_JUST_BASH = 256 * 1024;

it("packages/shell/vendor is what the script makes of just-bash, within its size", () => {
  execFileSync(process.execPath, ["scripts/bundle-just-bash.mjs", "--check"], { cwd: root });
  const vendored = readFileSync(join(root, "packages/shell/vendor/just-bash.js"));
  expect(gzipSync(vendored).length).toBeLessThanOrEqual(MAX_JUST_BASH);
});
