/**
 * Which test runs where: `*.workerd.test.ts` inside workerd (one fresh runtime per file), every other `*.test.ts` in Node.
 * The fast projects are what `npm run ok` runs; `npm test` runs all four.
 */
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { nodeServices } from "./test/worker/node-services.ts";

const fast = ["packages/**", "test/architecture", "test/contract"];
const slow = ["test/property", "test/crash", "test/journeys", "test/oracle", "test/limits"];
const inNode = (folders: string[]) => folders.map((folder) => `${folder}/**/*.test.ts`);
const inWorkerd = (folders: string[]) => folders.map((folder) => `${folder}/**/*.workerd.test.ts`);

const nodeProject = (name: string, folders: string[]) => ({
  test: { name, include: inNode(folders), exclude: ["**/*.workerd.test.ts", "**/node_modules/**"], testTimeout: 120_000 },
});

const workerdProject = (name: string, folders: string[]) => ({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: "./test/worker/wrangler.toml" },
      miniflare: { serviceBindings: nodeServices },
    }),
  ],
  test: { name, include: inWorkerd(folders), exclude: ["**/node_modules/**"], testTimeout: 120_000 },
});

export default defineConfig({
  test: {
    projects: [
      nodeProject("fast", fast),
      workerdProject("workerd-fast", fast),
      nodeProject("slow", slow),
      workerdProject("workerd-slow", slow),
    ],
  },
});
