/** A workspace, its object, its sandbox and a real container: what a deployment has, on this machine. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, proxyPort, type WorkspaceObject } from "@cloudflare/workspace";
import { afterAll, describe, expect, it } from "vitest";

declare global {
  namespace Cloudflare {
    interface Env {
      SANDBOX: DurableObjectNamespace;
    }
  }
}

const NAME = `container ${Date.now()}`;
const stub = () => env.WORKSPACE.getByName(NAME) as unknown as DurableObjectStub<WorkspaceObject>;
const workspace = () => getWorkspace(env.WORKSPACE as never, NAME);
const exec = async (command: string | string[], options: { timeoutMs?: number } = {}) => {
  const run = await workspace().shell.exec(command, { encoding: "utf8", ...options });
  return run.result();
};
const sandbox = () => env.SANDBOX.get(env.SANDBOX.idFromName(stub().id.toString()));
const destroy = () =>
  runInDurableObject(sandbox(), async (object) => (object as unknown as { destroy(): Promise<void> }).destroy());

describe("a workspace with a container", () => {
  afterAll(destroy);

  it("exec runs in the container on the workspace's files, and syncs what it created", async () => {
    await workspace().fs.writeFile(
      "/workspace/hello.sh",
      "echo hello from $(hostname) > out.txt; id -un; pwd; cat out.txt",
    );
    const result = await exec("bash hello.sh");
    expect(result).toMatchObject({ ranOn: "container", exitCode: 0, state: "exited" });
    expect(result.stdout).toMatch(/^agent\n\/workspace\nhello from [0-9a-f]{12}\n$/);
    expect(result.sync).toMatchObject({ pushed: { entries: 1 }, pulled: { entries: 1 } });
    expect(await workspace().fs.readFile("/workspace/out.txt", "utf8")).toMatch(/^hello from/);
  });

  it("streams what a command prints while it runs", async () => {
    const run = await workspace().shell.exec("echo one; sleep 1; echo two", { encoding: "utf8" });
    const seen: [string, number][] = [];
    const started = Date.now();
    for await (const event of run) if (event.name === "stdout") seen.push([event.value, Date.now() - started]);
    expect(seen.map(([value]) => value)).toEqual(["one\n", "two\n"]);
    expect(seen[1]![1] - seen[0]![1]).toBeGreaterThan(500);
  });

  it("kill and timeout end a command with all its processes", async () => {
    const run = await workspace().shell.exec("echo up; sleep 100 & sleep 100", { encoding: "utf8" });
    for await (const event of run) if (event.name === "stdout") break;
    await run.kill("SIGKILL");
    expect(await run.result()).toMatchObject({ state: "killed", exitCode: 137 });
    expect(await exec("sleep 100", { timeoutMs: 300 })).toMatchObject({ state: "timedout", exitCode: 124 });
    expect((await exec("pgrep -c sleep; true")).stdout).toBe("0\n");
  });

  it("a command cannot gain rights", async () => {
    expect((await exec("grep NoNewPrivs /proc/self/status")).stdout).toBe("NoNewPrivs:\t1\n");
    expect((await exec("find / -xdev -type f -perm /6000 2>/dev/null; true")).stdout).toBe("");
    expect((await exec("grep Cap.*: /proc/self/status | grep -v Bnd | cut -f2 | sort -u")).stdout).toBe(
      "0000000000000000\n",
    );
  });

  it("a command has the tools of an image, and nothing of the daemon", async () => {
    const { stdout } = await exec(
      "for t in git rg node bash make g++ python3 patch; do command -v $t > /dev/null || echo no $t; done; env; cat /proc/1/environ 2>&1; ls /opt/workspaced",
    );
    expect(stdout).not.toMatch(/^no /m);
    expect(stdout).toContain("Permission denied");
    expect(stdout).not.toMatch(/secret/i);
  });

  it("git in the container works on the workspace's repository", async () => {
    const committed = await exec(
      "git init -q . && git config user.name A && git config user.email a@b && git add -A && git commit -qm one && git rev-parse HEAD",
    );
    expect(committed.exitCode).toBe(0);
    const log = await workspace().git.cli({ argv: ["log", "--format=%H"], cwd: "/workspace" });
    expect(new TextDecoder().decode(log.stdout)).toBe(committed.stdout);
    expect((await exec("git status --porcelain")).stdout).toBe("");
  });

  it("a file that git tracks inside a container-only directory is synced", async () => {
    const cli = async (...argv: string[]) => {
      const { exitCode, stdout, stderr } = await workspace().git.cli({ argv, cwd: "/workspace/app" });
      expect([exitCode, new TextDecoder().decode(stderr)]).toEqual([0, ""]);
      return new TextDecoder().decode(stdout);
    };
    await workspace().fs.writeMany([
      { path: "/workspace/app/src/target/index.ts", content: "export {};\n" },
      { path: "/workspace/app/node_modules/vendored/i.js", content: "1\n" },
    ]);
    await cli("init", "-q");
    await cli("add", "-A");
    await cli("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "one");
    const status = await exec("cd app && git status --porcelain && touch src/target/built node_modules/installed");
    expect([status.exitCode, status.stdout]).toEqual([0, ""]);
    expect(
      (await exec("cd app && git add src/target/built && git -c user.name=A -c user.email=a@b commit -qm two"))
        .exitCode,
    ).toBe(0);
    expect(await cli("status", "--porcelain")).toBe("");
    expect(await cli("ls-files")).toBe("node_modules/vendored/i.js\nsrc/target/built\nsrc/target/index.ts\n");
    expect(await workspace().fs.exists("/workspace/app/node_modules/installed")).toBe(false);
    expect((await exec("rm -rf app")).exitCode).toBe(0);
    expect(await workspace().fs.exists("/workspace/app")).toBe(false);
  });

  it("undo of a call needs no force while an idle server runs", async () => {
    const server = await workspace().shell.exec(
      "node -e 'require(\"http\").createServer(() => {}).listen(4321, () => console.log(1))'",
    );
    for await (const event of server) if (event.name === "stdout") break;
    // It is named as long as it is busy with its own start.
    let callId = "";
    for (let i = 0; i < 50; i++) {
      const result = await exec(`echo ${i} > beside.txt`);
      callId = result.callId;
      const [entry] = (await workspace().history.log({ path: "/workspace/beside.txt", limit: 1 })).entries;
      if (entry?.callId === callId) break;
    }
    expect((await workspace().history.undo({ callId })).conflicts).toEqual([]);
    await server.kill("SIGKILL");
    await server.result();
    await workspace().fs.rm("/workspace/beside.txt", { force: true });
  });

  it("npm installs a package from a local tarball, and node_modules stay there", async () => {
    const pack =
      'mkdir -p pkg/package && cd pkg && echo \'{"name":"small","version":"1.0.0","main":"i.js"}\' > package/package.json && echo \'module.exports = 42\' > package/i.js && tar czf ../small.tgz package';
    const install = "npm install --offline --no-audit --no-fund ./small.tgz && node -p 'require(\"small\")'";
    const result = await exec(`(${pack}) && echo '{"name":"app","version":"1.0.0"}' > package.json && ${install}`, {
      timeoutMs: 60_000,
    });
    expect([result.exitCode, result.stderr, result.stdout.trim().split("\n").at(-1)]).toEqual([0, "", "42"]);
    expect(result.sync?.skipped).toContainEqual({
      path: "/workspace/node_modules",
      reason: "container-only by policy",
    });
    expect(await workspace().fs.exists("/workspace/node_modules")).toBe(false);
    expect(JSON.parse(await workspace().fs.readFile("/workspace/package.json", "utf8")).dependencies).toEqual({
      small: "file:small.tgz",
    });
  });

  it("a port is reachable over HTTP and WebSocket only while it is exposed", async () => {
    const server = `
      const http = require("http"), crypto = require("crypto");
      const s = http.createServer((q, r) => { let b = ""; q.on("data", (c) => b += c); q.on("end", () => r.end(q.method + " " + q.url + " " + b)); });
      s.on("upgrade", (q, k) => { const a = crypto.createHash("sha1").update(q.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
        k.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: " + a + "\\r\\n\\r\\n"); k.write(Buffer.from([0x81, 2, 0x68, 0x69])); });
      s.listen(3000, () => console.log("listening"));`;
    await workspace().fs.writeFile("/workspace/server.cjs", server);
    const run = await workspace().shell.exec("node server.cjs", { encoding: "utf8" });
    for await (const event of run) if (event.name === "stdout") break;
    const ask = (init?: RequestInit) =>
      proxyPort(stub() as never, new Request("http://preview.example/a/b?c=d", init), 3000);
    expect((await ask()).status).toBe(404);
    await runInDurableObject(stub(), (object) => exposed(object).exposePort(3000));
    expect(await (await ask()).text()).toBe("GET /a/b?c=d ");
    expect(await (await ask({ method: "POST", body: "body" })).text()).toBe("POST /a/b?c=d body");
    const { webSocket } = await ask({ headers: { upgrade: "websocket" } });
    const reported = new Promise((resolve) => webSocket?.addEventListener("message", ({ data }) => resolve(data)));
    webSocket?.accept();
    expect(await reported).toBe("hi");
    webSocket?.close();
    await runInDurableObject(stub(), (object) => exposed(object).unexposePort(3000));
    expect((await ask()).status).toBe(404);
    await run.kill("SIGKILL");
  });

  it("a command has no network unless it is allowed", async () => {
    const ask = "curl -s -m 5 -o /dev/null -w '%{http_code}' http://example.com/ || echo ' failed'";
    expect((await exec(ask)).stdout).toMatch(/failed|520|403/);
  });

  it("a command is lost when its container dies, and the next one gets a new container with all files", async () => {
    await exec("touch /tmp/of-the-old-one");
    const run = await workspace().shell.exec("echo up; sleep 100", { encoding: "utf8" });
    for await (const event of run) if (event.name === "stdout") break;
    await destroy();
    expect(await run.result()).toMatchObject({ state: "lost", exitCode: null });
    const after = await exec("ls /tmp; cat out.txt; git log --format=%s");
    expect(after).toMatchObject({ exitCode: 0, ranOn: "container" });
    expect(after.stdout).toMatch(/^hello from .*\none\n$/);
    expect(after.sync?.skipped).toContainEqual({
      path: "/workspace/node_modules",
      reason: expect.stringContaining("that container is gone"),
    });
  });
});

/** The deployment signs addresses; here one is enough. */
function exposed(object: WorkspaceObject) {
  const container = object.workspace.container!;
  container.preview = async (port: number) => `http://${port}.preview.example/`;
  return container;
}
