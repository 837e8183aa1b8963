/**
 * What a container reaches by its policy: `none`, `open`, or the hosts that are named. Outside are two real hosts with names, HTTP, HTTPS
 * and other ports (test/container/outside); in between are workerd and a sidecar as it starts beside every container.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace } from "@cloudflare/workspace";
import { afterAll, describe, expect, it } from "vitest";

type Bindings = Record<"WORKSPACE" | "NAMED" | "OPEN" | "SANDBOX" | "NAMED_BOX" | "OPEN_BOX", DurableObjectNamespace>;
const bound = env as unknown as Bindings;
const NAME = `network-${Date.now()}`;
const NAMED_IP = "198.51.100.10";
const OTHER_IP = "198.51.100.11";

/** What each address answers; `-` for one that cannot be reached. Certificates are checked, unless there is only an address to check. */
async function ask(namespace: DurableObjectNamespace, requested: readonly string[]): Promise<string[]> {
  const lines = requested.map((argv) => `curl -s -m 20 ${argv} || echo -n -; echo`);
  const run = await getWorkspace(namespace as never, NAME).shell.exec(lines.join("\n"), { encoding: "utf8" });
  const { stdout, ranOn } = await run.result();
  expect(ranOn).toBe("container");
  return stdout.split("\n").slice(0, -1);
}

const exec = async (namespace: DurableObjectNamespace, command: string) =>
  (await (await getWorkspace(namespace as never, NAME).shell.exec(command, { encoding: "utf8" })).result()).stdout;

const BARE = (host: string) => `timeout 10 bash -c 'exec 3<>/dev/tcp/${host}/9999 && cat <&3' 2>/dev/null; echo`;
const EVERYWHERE = [
  "http://named.example/",
  "http://other.example/",
  `http://${NAMED_IP}/`,
  `http://${OTHER_IP}/`,
  `-k https://${OTHER_IP}/`,
  "http://named.example:8080/",
];

describe("the network of a container", () => {
  afterAll(async () => {
    const own = bound.SANDBOX.get(bound.SANDBOX.idFromName(bound.WORKSPACE.idFromName(NAME).toString()));
    for (const box of [own, bound.NAMED_BOX.getByName("named"), bound.OPEN_BOX.getByName("open")])
      await runInDurableObject(box, (object) => (object as unknown as { destroy(): Promise<void> }).destroy());
  });

  it("open: everything is reached, by name and address, on any port", async () => {
    // The external host has its own certificate, unknown to the container.
    const secure = [
      "-k https://named.example/",
      "-k https://other.example/",
      "'http://named.example/?to=http://other.example/' -L",
    ];
    expect(await ask(bound.OPEN, [...EVERYWHERE, ...secure])).toEqual([
      "named.example over http",
      "other.example over http",
      "named.example over http",
      "other.example over http",
      "other.example over https",
      "named.example over http on another port",
      "named.example over https",
      "other.example over https",
      "other.example over http",
    ]);
    expect(await exec(bound.OPEN, BARE(OTHER_IP))).toBe("other.example itself\n");
  });

  it("none: no host is reachable, and no name is resolved", async () => {
    const nothing = await ask(bound.WORKSPACE, [...EVERYWHERE, "-k https://named.example/"]);
    expect(nothing).toEqual(nothing.map(() => "-"));
    expect(await exec(bound.WORKSPACE, `getent hosts named.example; ${BARE(NAMED_IP)}`)).toBe("\n");
  });

  it("allow: the named host is reached over HTTP and HTTPS, by whatever program", async () => {
    expect(await ask(bound.NAMED, ["http://named.example/", "https://named.example/"])).toEqual([
      "named.example over http",
      "named.example over https",
    ]);
    const url = "https://named.example/";
    expect(await exec(bound.NAMED, `node -e 'fetch("${url}").then((r) => r.text()).then(console.log)'`)).toBe(
      "named.example over https\n",
    );
    const python = `import urllib.request; print(urllib.request.urlopen("${url}").read().decode())`;
    expect(await exec(bound.NAMED, `python3 -c '${python}'`)).toBe("named.example over https\n");
  });

  it("allow: no other name, address, port or raw connection works, and no other name is resolved", async () => {
    const nothing = await ask(bound.NAMED, [...EVERYWHERE.slice(1), "-k https://other.example/"]);
    expect(nothing).toEqual(nothing.map(() => "-"));
    expect(await exec(bound.NAMED, `getent hosts other.example; ${BARE(NAMED_IP)}; ${BARE(OTHER_IP)}`)).toBe("\n\n");
    expect(await exec(bound.NAMED, "getent hosts named.example | wc -l")).toBe("1\n");
  });

  it("allow: a redirect leads no further, and a false name leads to the named host or nowhere", async () => {
    const elsewhere = ["http", "https"].flatMap((to) => [
      `-L 'http://named.example/?to=${to}://other.example/'`,
      `-L 'https://named.example/?to=${to}://${OTHER_IP}/'`,
    ]);
    expect(await ask(bound.NAMED, elsewhere)).toEqual(elsewhere.map(() => "-"));
    expect(
      await ask(bound.NAMED, [
        "-o /dev/null -w '%{http_code}' 'http://named.example/?to=http://other.example/'",
        `-H 'Host: named.example' http://${OTHER_IP}/`,
        `--connect-to named.example:443:${OTHER_IP}:443 https://named.example/`,
        "-H 'Host: other.example' https://named.example/",
        "-H 'Host: other.example' http://named.example/",
      ]),
    ).toEqual(["302", "named.example over http", "named.example over https", "Origin is disallowed", "-"]);
  });
});
