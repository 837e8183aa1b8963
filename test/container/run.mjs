// `npm run test:container`: checks Docker and the image, then runs test/container in real containers. Without Docker it fails with
// a message: in CI that is a failure, and a skipped test must not look like a passed one.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startOutside } from "./outside/outside.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const env = {
  ...process.env,
  DOCKER_BUILDKIT: "0",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
};

if (!dockerAnswers()) give("Docker does not answer on /var/run/docker.sock: the container tests cannot run.");

run(process.execPath, ["container/build.mjs"]);
run("docker", ["build", "-q", "--network", "host", "-t", "workspace-sandbox:test", "container"]);
if (!imageHasNpm()) addNpm();
// The tests' own sidecar and external host: reachability is then the same everywhere, and needs no network.
env.MINIFLARE_CONTAINER_EGRESS_IMAGE = "workspace-egress:test";
run("docker", [
  "build",
  "-q",
  "--network",
  "host",
  "-t",
  env.MINIFLARE_CONTAINER_EGRESS_IMAGE,
  "test/container/egress",
]);
const outside = startOutside();
env.OUTSIDE_CERTIFICATE = outside.certificate;
const { status } = spawnSync(
  "npx",
  ["vitest", "run", "--config", "test/container/vitest.config.ts", ...process.argv.slice(2)],
  { cwd: root, env, stdio: "inherit" },
);
removeContainers();
outside.end();
process.exit(status ?? 1);

function dockerAnswers() {
  return spawnSync("docker", ["info"], { stdio: "ignore" }).status === 0;
}

function imageHasNpm() {
  return (
    spawnSync("docker", ["run", "--rm", "workspace-sandbox:test", "npm", "--version"], { stdio: "ignore" }).status === 0
  );
}

/** The official node image has npm; one made without a registry has only node, and gets this machine's npm. */
function addNpm() {
  const npm = dirname(
    dirname(execFileSync("sh", ["-c", "readlink -f $(command -v npm)"], { encoding: "utf8" }).trim()),
  );
  const context = mkdtempSync(join(tmpdir(), "npm-layer-"));
  try {
    cpSync(npm, join(context, "npm"), { recursive: true });
    writeFileSync(
      join(context, "Dockerfile"),
      "FROM workspace-sandbox:test\nCOPY npm /usr/local/lib/node_modules/npm\nRUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm\n",
    );
    run("docker", ["build", "-q", "-t", "workspace-sandbox:test", context]);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

/** workerd leaves its sidecars running. */
function removeContainers() {
  const left = spawnSync("docker", ["ps", "-aq", "--filter", "name=workerd-"], { encoding: "utf8" })
    .stdout.split("\n")
    .filter(Boolean);
  if (left.length > 0) spawnSync("docker", ["rm", "-f", ...left], { stdio: "ignore" });
}

function run(program, args) {
  const { status: code, error } = spawnSync(program, args, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
  if (code !== 0) give(`${program} ${args.join(" ")} failed${error ? `: ${error.message}` : ` with ${code}`}`);
}

function give(message) {
  console.error(`test:container: ${message}`);
  process.exit(1);
}
