// What is outside for the container tests: two hosts on a Docker network of their own, with names, HTTP and HTTPS. A container reaches
// them through workerd or not at all; a Worker's fetch does through `fetchOutside`, which knows their names and their certificate.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as askPlain } from "node:http";
import { request as askSecure } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const NETWORK = "workspace-outside";
const IMAGE = "workspace-sandbox:test";
const names = Object.fromEntries(
  readFileSync(join(here, "../egress/names.txt"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(" ")),
);

/** Returns where the certificate is, and the way to end it all. */
export function startOutside() {
  stop();
  const directory = mkdtempSync(join(tmpdir(), "outside-"));
  cpSync(join(here, "server.mjs"), join(directory, "server.mjs"));
  const certificate = join(directory, "cert.pem");
  const alternatives = Object.keys(names).map((name) => `DNS:${name}`);
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30"].concat(
      ["-keyout", join(directory, "key.pem"), "-out", certificate, "-subj", "/CN=outside"],
      ["-addext", `subjectAltName=${alternatives.join(",")}`],
    ),
    { stdio: "ignore" },
  );
  docker("network", "create", "--subnet", "198.51.100.0/24", NETWORK);
  for (const [name, address] of Object.entries(names))
    docker(
      ...["run", "-d", "--name", containerOf(name), "--network", NETWORK, "--ip", address, "--user", "0"],
      ...["-v", `${directory}:/outside:ro`, IMAGE, "node", "/outside/server.mjs", name],
    );
  return {
    certificate,
    end() {
      stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function stop() {
  for (const name of Object.keys(names)) spawnSync("docker", ["rm", "-f", containerOf(name)], { stdio: "ignore" });
  spawnSync("docker", ["network", "rm", NETWORK], { stdio: "ignore" });
}

function containerOf(name) {
  return `${NETWORK}-${name}`;
}

function docker(...argv) {
  execFileSync("docker", argv, { stdio: ["ignore", "ignore", "inherit"] });
}

/** As a Worker's fetch would go out; a name that is not outside is a host that cannot be found. Redirects are the asker's affair. */
export async function fetchOutside(request) {
  const { protocol, hostname, port, pathname, search } = new URL(request.url);
  const address = names[hostname];
  if (address === undefined) return new Response(`no host ${hostname}`, { status: 530 });
  const isSecure = protocol === "https:";
  const options = {
    host: address,
    port: port || (isSecure ? 443 : 80),
    path: pathname + search,
    method: request.method,
    headers: { ...Object.fromEntries(request.headers), host: hostname },
    ...(isSecure ? { servername: hostname, ca: readFileSync(process.env.OUTSIDE_CERTIFICATE) } : {}),
  };
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
  return new Promise((resolve, reject) => {
    const asking = (isSecure ? askSecure : askPlain)(options, (answer) => {
      const headers = Object.entries(answer.headersDistinct).flatMap(([key, all]) => all.map((value) => [key, value]));
      resolve(new Response(Readable.toWeb(answer), { status: answer.statusCode, headers }));
    });
    asking.once("error", reject);
    asking.end(body);
  });
}
