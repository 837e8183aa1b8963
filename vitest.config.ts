/**
 * Which test runs where: `*.workerd.test.ts` inside workerd (one fresh runtime per file), every other `*.test.ts` in Node.
 * The fast projects are what `npm run precommit` runs; `npm test` runs all four.
 */
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { nodeServices } from "./test/worker/node-services.ts";

/** Long ones that stand beside what they test, or share its suite: `npm test` runs them, `npm run precommit` does not. */
const long = [
  "packages/glob/test/**/*.test.ts",
  // It builds the studio, and installs just-bash.
  "test/architecture/notices.test.ts",
  // They start real git hundreds of times.
  "packages/git/**/*.test.ts",
  "packages/text/test/**/*.test.ts",
  "test/contract/node.test.ts",
  "test/contract/{exec,rpc,search}*.workerd.test.ts",
  // A runtime of its own for each file, and a whole workspace to load: the fast path has the file system's alone, without search.
  "packages/!(vfs)/**/*.workerd.test.ts",
  "packages/vfs/src/search/**/*.workerd.test.ts",
  // Large files, thousands of versions, full databases.
  "packages/vfs/src/{failed-writes,rollback-writers}.workerd.test.ts",
  "packages/vfs/src/handle/{open-inode,unnoticed-rollback}.workerd.test.ts",
  "packages/vfs/src/maintain/{growth,convert-layouts,make-room}.workerd.test.ts",
];
const fast = { include: ["packages", "test/architecture", "test/contract"].map(testsIn), exclude: long };
const slow = {
  include: [
    ...["test/property", "test/crash", "test/journeys", "test/oracle", "test/limits", "test/packages"].map(testsIn),
    ...long,
  ],
  exclude: [],
};

interface Files {
  include: string[];
  exclude: string[];
}

function testsIn(folder: string): string {
  return `${folder}/**/*.test.ts`;
}

/** Machines are slow at times; a test that hangs should still be named. */
const patience = { testTimeout: 120_000, hookTimeout: 120_000 };

const nodeProject = (name: string, { include, exclude }: Files) => ({
  test: { name, include, exclude: [...exclude, "**/*.workerd.test.ts", "**/node_modules/**"], ...patience },
});

const workerdProject = (name: string, { include, exclude }: Files) => ({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: "./test/worker/wrangler.toml" },
      miniflare: { serviceBindings: nodeServices },
    }),
  ],
  test: {
    name,
    include: include.map((pattern) => pattern.replace(/(\.workerd)?\.test\.ts$/, ".workerd.test.ts")),
    exclude: [...exclude, "**/node_modules/**"],
    ...patience,
  },
});

export default defineConfig({
  test: {
    // Vitest's own choice leaves a core to itself, which on two cores is half the machine; the workers wait for workerd a lot.
    maxWorkers: 2,
    projects: [
      nodeProject("fast", fast),
      workerdProject("workerd-fast", fast),
      nodeProject("slow", slow),
      workerdProject("workerd-slow", slow),
    ],
  },
});
