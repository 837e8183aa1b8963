/**
 * Which test file belongs to which project. `*.workerd.test.ts` runs inside workerd, every other `*.test.ts` in Node; each kind has
 * three tiers: `npm run precommit` runs the fast projects, `npm test` the fast and the slow ones, `npm run test:long` the long ones.
 * test/architecture/test-projects.test.ts checks that every test file is in exactly one of them. docs/testing.md says when to run what.
 *
 * The files of a project share their processes and their workerd (`isolate: false`): loading the product for each file took most of
 * the time. A test therefore isolates itself by the names of its objects and folders.
 *
 * The adapters have two projects of their own, which `npm run test:long` runs: they install the frameworks first (./test/adapters), and
 * their Worker has Node's modules.
 */
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { nodeServices } from "./test/support/workerd/node-services.ts";

/** Suites that take minutes: crashes, random sequences, all oracle cases, limits, end to end, installed packages. */
const longFiles = [
  "container/src/daemon-{large,security}.test.ts",
  "test/{crash,e2e,limits,oracle,packages,property}/**/*.test.ts",
];

/** Everything else that takes more than a second or two: real git, bash or ripgrep, a whole workspace, large files. */
const slowFiles = [
  "container/src/daemon-{output,tree}.test.ts",
  "packages/glob/src/hostile.test.ts",
  // They start real git hundreds of times, or work through megabytes.
  "packages/git/test/**/*.test.ts",
  "packages/git/src/{cli/refusals,config/config-syntax,convert/conversion,date/approxidate,ignore/classify-untracked}.test.ts",
  "packages/git/src/{index/read-index,merge/merge-random,odb/damaged-objects,pack/index-pack,pack/pack-work}.test.ts",
  "packages/git/src/{regex/compile-regex,worktree/worktree,zlib/deflater}.test.ts",
  // It builds the studio and installs just-bash.
  "test/architecture/notices.test.ts",
  "test/contract/node.test.ts",
  "test/contract/{exec,rpc}*.workerd.test.ts",
  "packages/!(vfs)/**/*.workerd.test.ts",
  "packages/vfs/src/search/**/*.workerd.test.ts",
  // Large files, thousands of versions, full databases.
  "packages/vfs/src/volume/{failed-writes,rollback-writers}.workerd.test.ts",
  "packages/vfs/src/handle/{open-inode,unnoticed-rollback}.workerd.test.ts",
  "packages/vfs/src/maintenance/{growth,convert-layouts,reclaim-space}.workerd.test.ts",
];

/** Of the long suites' folders: the quick ones, so that `npm test` tries a little of everything. */
const quickFiles = [
  "test/crash/purge.test.ts",
  "test/e2e/examples.workerd.test.ts",
  "test/limits/git-status.workerd.test.ts",
  "test/oracle/shell/shell.workerd.test.ts",
  "test/oracle/{glob,text}/*.test.ts",
  "test/oracle/git/{clone-limit,credentials,everyday,exec,flags,full-disk}.test.ts",
  "test/oracle/git/{idle-connections,progress,resume-across-gits}.test.ts",
  "test/oracle/http/archive.test.ts",
  "test/property/sync-windows.workerd.test.ts",
  "test/property/edit.test.ts",
];

const allFiles =
  "{container,packages,test/{architecture,contract,crash,e2e,limits,oracle,packages,property}}/**/*.test.ts";

interface Tier {
  include: string[];
  exclude: string[];
}

const fast: Tier = { include: [allFiles], exclude: [...slowFiles, ...longFiles] };
const slow: Tier = { include: [...slowFiles, ...quickFiles], exclude: [] };
const long: Tier = { include: longFiles, exclude: quickFiles };

const adapters: Tier = { include: ["test/adapters/**/*.test.ts"], exclude: [] };

const shared = {
  isolate: false,
  // A test that hangs is reported by name; a busy machine does not reach this. With a load of 13 per core the slowest took 190 s.
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

const nodeProject = (name: string, { include, exclude }: Tier) => ({
  test: {
    ...shared,
    name,
    setupFiles: ["./test/support/fixed-seed.ts"],
    include,
    exclude: [...exclude, "**/*.workerd.test.ts", "**/node_modules/**"],
  },
});

const workerdProject = (
  name: string,
  { include, exclude }: Tier,
  configPath = "./test/support/workerd/wrangler.toml",
) => ({
  plugins: [
    cloudflareTest({
      // A verbose runtime logs every exception that crosses an RPC or a socket, also those the other side handles. An unhandled
      // rejection needs no log: vitest reports it and fails the run.
      verbose: false,
      wrangler: { configPath },
      miniflare: { serviceBindings: nodeServices },
    }),
  ],
  test: {
    ...shared,
    name,
    include: include.map((pattern) => pattern.replace(/(\.workerd)?\.test\.ts$/, ".workerd.test.ts")),
    exclude: [...exclude, "**/node_modules/**"],
  },
});

function withFrameworks<P extends { test: object }>(project: P): P {
  return { ...project, test: { ...project.test, globalSetup: ["./test/adapters/install.ts"] } };
}

/** The index of pi loads its terminal program too, which workerd cannot. */
const piTools = `${import.meta.dirname}/test/adapters/node_modules/@earendil-works/pi-coding-agent/dist/core/tools/index.js`;

export default defineConfig({
  test: {
    // Vitest's own choice leaves a core to itself, which on two cores is half the machine; the workers wait for workerd a lot.
    maxWorkers: 2,
    // Failures and a summary; console output of failed tests alone.
    reporters: ["minimal", "./test/support/count-reporter.ts"],
    projects: [
      nodeProject("fast", fast),
      workerdProject("workerd-fast", fast),
      nodeProject("slow", slow),
      workerdProject("workerd-slow", slow),
      nodeProject("long", long),
      workerdProject("workerd-long", long),
      withFrameworks(nodeProject("adapters", adapters)),
      {
        ...withFrameworks(workerdProject("workerd-adapters", adapters, "./test/adapters/wrangler.toml")),
        resolve: { alias: { "@earendil-works/pi-coding-agent": piTools } },
      },
    ],
  },
});
