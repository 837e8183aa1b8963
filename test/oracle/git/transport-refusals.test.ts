/** What a server says when it refuses, or is none, ours beside real git: the words that tell a user what to do. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compareAll, printBoth, type Step, start, startServers } from "./transport-harness.ts";

startServers();

const scenarios: Record<string, Step[]> = {
  "one remote of several that is not there": [
    ...start,
    "clone -q <server>/server.git clone",
    "remote add absent <server>/nothing.git",
    "remote add more <server>/server.git",
    "fetch --multiple absent more",
    "fetch --all",
    "remote update",
    "fetch absent",
  ],
  "a branch that is not there, where HEAD leads": [
    ...start,
    { at: "server", run: "symbolic-ref HEAD refs/heads/gone" },
    "clone <server>/server.git clone",
    "clone --bare <server>/server.git bare",
    "clone -n <server>/server.git unchecked",
    "clone <old>/server.git of-the-old",
  ],
  "fetch of an object by its name": [
    ...start,
    "clone -q <server>/server.git clone",
    "fetch <server>/server.git 902724e5506ff42c7c1c9bf8d1c383c229436ded",
  ],
  "a push that is refused as a whole": [
    ...start,
    "clone -q <server>/server.git clone",
    "push --atomic --porcelain origin main~1:main :side main:new",
    "push --atomic origin main~1:main :side main:new",
    "-c push.pushOption=one push origin main:new",
    { at: "server", run: "config receive.advertisePushOptions true" },
    "-c push.pushOption=one push origin main:new",
    "-c push.pushOption=one -c push.pushOption= push origin main:newer",
  ],
};

compareAll(scenarios);

/** Answers that no git server gives. */
const odd: Record<string, { status: number; headers?: Record<string, string>; body?: string }> = {
  page: { status: 200, headers: { "content-type": "text/html" }, body: "<html>log in</html>\n" },
  garbage: { status: 200, headers: { "content-type": "application/x-git-upload-pack-advertisement" }, body: "<html>" },
  refused: { status: 403, headers: { "content-type": "text/plain" }, body: "you may not\n\nat all\r\n" },
  "refused-page": { status: 403, headers: { "content-type": "text/html" }, body: "<p>you may not" },
  broken: { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body: "broken" },
  missing: { status: 404, headers: { "content-type": "text/plain" }, body: "no such thing" },
  gone: { status: 410 },
};
let oddServer: Server;

beforeAll(async () => {
  oddServer = createServer((request, response) => {
    const [, name = "", user] = (request.url ?? "").split("/");
    if (name === "loop") response.writeHead(302, { location: request.url ?? "" }).end();
    else if (name === "wrong") {
      const headers = { "www-authenticate": "Basic realm=x", "content-type": "text/plain" };
      response.writeHead(401, headers).end(`${user}: wrong password\n`);
    } else {
      const { status, headers, body } = odd[name] as (typeof odd)[string];
      response.writeHead(status, headers).end(body);
    }
  });
  await new Promise<void>((resolve) => oddServer.listen(0, "127.0.0.1", resolve));
});

afterAll(() => void oddServer.close());

it.each([...Object.keys(odd), "loop", "wrong"])("a bad response is reported as git reports it: %s", async (name) => {
  const address = `127.0.0.1:${(oddServer.address() as AddressInfo).port}/${name}/x.git`;
  const user = name === "wrong" ? "me:wrong@" : "";
  const [real, ours] = await printBoth(["ls-remote", `http://${user}${address}`]);
  expect(ours).toEqual(real);
  expect(real?.exitCode).toBe(128);
});
