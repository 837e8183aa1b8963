/** What `workspaced` refuses: unauthenticated clients, paths that lead out, frames that are none, and commands that look for its secret. */
import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { encodeMessage, PACKING_PROTOCOL, SYNC_LIMITS } from "@workspace/protocol";
import { Random } from "@workspace/testing/random";
import { describe, expect, it } from "vitest";
import { Client, SECRET, TestDaemon } from "../test/daemon-client.ts";
import { parseFlags } from "./daemon-flags.ts";

const isRoot = process.getuid?.() === 0;
/** A user that has no other processes. */
const LONELY_USER = 61_234;
const file = (path: string, content: string) => ({
  path,
  type: "file",
  mode: 0o644,
  mtime: 1,
  size: content.length,
  version: "v.1",
  content: `c.${path}.${content}`,
  bytes: content.length,
});
const bytes = (text: string) => new TextEncoder().encode(text);

describe("workspaced authenticates every connection", () => {
  it("answers 401 to every request but health, before and after the claim", async () => {
    await using daemon = await TestDaemon.start();
    const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${daemon.port}${path}`, init);
    for (let round = 0; round < 2; round++) {
      for (const path of ["/", "/connect", "/ports/80/", "/health/../secret", "/ports/1/x"]) {
        const response = await at(path, { headers: round === 0 ? {} : { "x-workspace-secret": "wrong" } });
        expect([response.status, await response.text()], path).toEqual([401, ""]);
      }
      const health = await at("/health");
      expect(await health.json()).toEqual({ ok: true, busy: false });
      using _owner = await daemon.connect();
    }
  });

  it("accepts only the first secret; another, a short or a missing one is closed with 4401", async () => {
    await using daemon = await TestDaemon.start();
    using _owner = await daemon.connect();
    for (const hello of [{ secret: "another secret of enough characters" }, { secret: "" }, {}, { secret: 7 }]) {
      using client = await Client.open(daemon.port);
      await expect(client.ask("hello", hello)).rejects.toMatchObject({ closed: 4401 });
    }
    using early = await Client.open(daemon.port);
    await expect(early.ask("scan", { policy: "", maxEntries: 1, maxBytes: 1 })).rejects.toMatchObject({ closed: 4401 });
    using second = await daemon.connect();
    expect((await second.ask("scan", { policy: "", maxEntries: 1, maxBytes: 1 })).header).toMatchObject({ entries: 0 });
  });

  it("binds loopback and needs an explicit root", () => {
    expect(parseFlags(["--root", "/tree"])).toMatchObject({ root: "/tree", host: "127.0.0.1" });
    expect(parseFlags([])).toMatchObject({
      exitCode: 2,
      text: expect.stringContaining("--root must be an absolute path"),
    });
    expect(parseFlags(["--root", "tree"])).toMatchObject({ exitCode: 2 });
    expect(parseFlags(["--root", "/t", "--uid", "0"])).toMatchObject({ exitCode: 2 });
    expect(parseFlags(["--root", "/t", "--nonsense"])).toMatchObject({ exitCode: 2 });
  });
});

describe("workspaced stays in its root", () => {
  it("refuses names that lead out of the root, and changes nothing", async () => {
    await using daemon = await TestDaemon.start();
    using client = await daemon.connect();
    const paths = ["../x", "a/../../x", "/etc/x", "a//b", "./a", "a/.", "", "a\0b", `${"n".repeat(256)}`, "\ud800"];
    for (const path of paths)
      await expect(
        client.ask("apply", { policy: "", entries: [file(path, "x")] }, bytes("x")),
        JSON.stringify(path),
      ).rejects.toMatchObject({ code: "EINVAL" });
    await expect(
      client.ask("exec", { process: "p", command: "true", cwd: "..", env: {}, timeoutMs: 0 }),
    ).rejects.toMatchObject({ code: "EINVAL" });
    expect(readdirSync(daemon.root)).toEqual([]);
    expect(readdirSync(dirname(daemon.root)).filter((name) => name === "x")).toEqual([]);
  });

  it("writes through no symlink that a command left, whether or not its target exists", async () => {
    await using daemon = await TestDaemon.start();
    using client = await daemon.connect();
    const outside = join(dirname(daemon.root), "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(daemon.root, "there"));
    symlinkSync(join(outside, "not-yet"), join(daemon.root, "dangling"));
    symlinkSync(join(outside, "file"), join(daemon.root, "leaf"));
    const entries = [
      file("there/a", "x"),
      file("dangling/a", "x"),
      file("leaf", "x"),
      { path: "there/b", type: "absent" },
    ];
    const { header } = await client.ask("apply", { policy: "", entries }, bytes("xxx"));
    expect(header.outcomes).toEqual(["dirty", "dirty", "dirty", "ok"]);
    expect(readdirSync(outside)).toEqual([]);
    await expect(
      client.ask("exec", { process: "p", command: "pwd", cwd: "there", env: {}, timeoutMs: 0 }),
    ).rejects.toMatchObject({ code: "ENOENT" });
  });

  it.runIf(isRoot)("wins the race against a command that swaps a directory for a symlink", async () => {
    await using daemon = await TestDaemon.start({ uid: 65534 });
    using client = await daemon.connect();
    const outside = mkdtempSync(join(tmpdir(), "outside-"));
    writeFileSync(join(outside, "precious"), "daemon's own");
    try {
      await client.ask("apply", { policy: "", entries: [file("d/seed", "x")] }, bytes("x"));
      const swap = `while [ ! -e stop ]; do mv d e 2>/dev/null; ln -s ${outside} d; rm -f d; mv e d 2>/dev/null; done`;
      await client.ask("exec", { process: "race", command: swap, cwd: "", env: {}, timeoutMs: 20_000 });
      const seen = new Set<string>();
      for (let i = 0; i < 150; i++) {
        const content = `v${i}`;
        await client.ask(
          "apply",
          {
            policy: "",
            entries: [file("d/precious", content), { path: "d/seed", type: "absent" }, file("d/seed", "x")],
          },
          bytes(`${content}x`),
        );
        const { header } = await client.ask("scan", { policy: "", maxEntries: 1000, maxBytes: 1e6 });
        if ((header.entries as number) === 0) continue;
        const taken = await client.ask("take", { scan: header.scan, from: 0 });
        for (const { path } of taken.header.entries as { path: string }[]) seen.add(path);
        expect(new TextDecoder().decode(taken.body)).not.toContain("daemon's own");
      }
      await client.ask("kill", { process: "race", signal: "SIGKILL" });
      expect(readdirSync(outside)).toEqual(["precious"]);
      expect(readFileSync(join(outside, "precious"), "utf8")).toBe("daemon's own");
      expect(lstatSync(join(outside, "precious")).uid).toBe(0);
      // The race was on: the daemon saw the directory come and go.
      expect(seen.size).toBeGreaterThan(0);
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it.runIf(isRoot)("reads no files of another owner", async () => {
    await using daemon = await TestDaemon.start({ uid: 65534 });
    using client = await daemon.connect();
    writeFileSync(join(daemon.root, "root-owned"), "secret of the daemon");
    spawnSync("mkfifo", [join(daemon.root, "pipe")]);
    const { header } = await client.ask("scan", { policy: "", maxEntries: 10, maxBytes: 1e6 });
    expect(header).toMatchObject({ entries: 0 });
    expect((header.skipped as { path: string; reason: string }[]).sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "pipe", reason: "neither file, directory nor symlink" },
      { path: "root-owned", reason: "it belongs to another user" },
    ]);
  });
});

describe("commands of workspaced", () => {
  it.runIf(isRoot)("run as another user, without access to the daemon's environment, memory or secret", async () => {
    await using daemon = await TestDaemon.start({ uid: 65534 });
    using client = await daemon.connect();
    const environment = await client.run("env", "env; id -u");
    expect(environment).toContain("65534");
    for (const hidden of [SECRET, "must not be seen", "DAEMON_ONLY"]) expect(environment).not.toContain(hidden);
    const peek = await client.run(
      "peek",
      `for f in environ mem maps fd; do cat /proc/${daemon.child.pid}/$f >/dev/null 2>&1 && echo read $f; done; ls /proc/${daemon.child.pid}/fd >/dev/null 2>&1 && echo listed; kill ${daemon.child.pid} 2>/dev/null && echo killed; echo done`,
    );
    expect(peek).toBe("done\n");
    expect(
      await client.run(
        "touch",
        `touch ${dirname(daemon.root)}/x 2>/dev/null; ls ${dirname(daemon.root)}/.root.workspaced-* 2>/dev/null; echo end`,
      ),
    ).toBe("end\n");
  });

  it.runIf(isRoot)("keep the daemon busy while any process of their user lives", async () => {
    await using daemon = await TestDaemon.start({ uid: LONELY_USER });
    using client = await daemon.connect();
    const health = async () =>
      (await fetch(`http://127.0.0.1:${daemon.port}/health`)).json() as Promise<{ busy: boolean }>;
    expect(await health()).toEqual({ ok: true, busy: false });
    const started = await client.run(
      "leave",
      "env -i setsid sleep 300 >/dev/null 2>&1 </dev/null & sleep 0.2; echo left",
    );
    expect(started).toBe("left\n");
    expect(await health()).toEqual({ ok: true, busy: true });
    await client.run("end", "pkill -u $(id -u) sleep");
    while ((await health()).busy) await new Promise((wake) => setTimeout(wake, 10));
  });

  it("workspaced closes a connection with invalid frames, and serves the others", async () => {
    await using daemon = await TestDaemon.start();
    using owner = await daemon.connect();
    const random = new Random(20261117);
    for (let i = 0; i < 300; i++) {
      const client = i % 2 === 0 ? await Client.open(daemon.port) : await daemon.connect();
      const valid = encodeMessage({ id: 5, verb: "apply", policy: "", entries: [file("a/b", "x")] }, bytes("x"));
      const frame =
        i % 3 === 0 ? Uint8Array.from({ length: random.below(200) }, () => random.below(256)) : mutated(valid, random);
      client.socket.send(frame);
      if (i % 5 === 0) client.socket.send("text");
      await Promise.race([client.closed, new Promise((resolve) => setTimeout(resolve, 5))]);
      client[Symbol.dispose]();
    }
    using large = await daemon.connect();
    large.socket.send(new Uint8Array(SYNC_LIMITS.messageBytes + 1));
    expect(await large.closed).toBe(1009);
    expect(daemon.alive).toBe(true);
    await expect(owner.ask("no such verb")).rejects.toMatchObject({ code: "ENOSYS" });
    await expect(owner.ask("__proto__")).rejects.toMatchObject({ code: "ENOSYS" });
    expect(await owner.run("still", "echo here")).toBe("here\n");
  });
});

describe("packed bodies", () => {
  const text = "packed ".repeat(1000);
  const packed = deflateRawSync(bytes(text));
  const entries = [{ ...file("a", text), content: "c.1" }];
  const apply = (more: object, body: Uint8Array) =>
    encodeMessage({ id: 9, verb: "apply", policy: "", entries, packed: text.length, ...more }, body);

  it("packed bodies are accepted only when agreed and valid; anything else ends the session and changes nothing", async () => {
    await using daemon = await TestDaemon.start();
    const bomb = deflateRawSync(Buffer.alloc(256 * 1024 * 1024), { level: 9 });
    const wrong: [name: string, frame: Uint8Array, protocol?: number][] = [
      ["more than it says", apply({ packed: text.length - 1 }, packed)],
      ["less than it says", apply({ packed: text.length + 1 }, packed)],
      ["no more than it is", apply({ packed: packed.length }, packed)],
      ["more than anybody may say", apply({ packed: SYNC_LIMITS.messageBytes + 1 }, packed)],
      ["a length that is none", apply({ packed: -1 }, packed)],
      ["bytes that are not packed", apply({}, Buffer.alloc(1000, 0xff))],
      ["half of it", apply({}, packed.subarray(0, packed.length >> 1))],
      ["something behind it", apply({}, Buffer.concat([packed, Buffer.from("behind")]))],
      ["a bomb", apply({ packed: SYNC_LIMITS.messageBytes }, bomb)],
      ["packed without having agreed on it", apply({}, packed), PACKING_PROTOCOL - 1],
    ];
    const before = residentBytes(daemon.child.pid as number);
    for (const [name, frame, protocol = PACKING_PROTOCOL] of wrong) {
      const client = await daemon.connect(SECRET, protocol);
      client.socket.send(frame);
      expect(await client.closed, name).toBe(4400);
      expect(readdirSync(daemon.root), name).toEqual([]);
    }
    expect(residentBytes(daemon.child.pid as number) - before).toBeLessThan(64 * 1024 * 1024);
    using client = await daemon.connect(SECRET, PACKING_PROTOCOL);
    const { header } = await client.ask("apply", { policy: "", entries, packed: text.length }, packed);
    expect(header.outcomes).toEqual(["ok"]);
    expect(readFileSync(join(daemon.root, "a"), "utf8")).toBe(text);
  });

  it("a corrupted packed body ends only its own session", async () => {
    await using daemon = await TestDaemon.start();
    const random = new Random(21);
    for (let i = 0; i < 200; i++) {
      const client = await daemon.connect(SECRET, PACKING_PROTOCOL);
      client.socket.send(mutated(apply({}, packed), random));
      await Promise.race([client.closed, new Promise((resolve) => setTimeout(resolve, 5))]);
      client[Symbol.dispose]();
    }
    using client = await daemon.connect(SECRET, PACKING_PROTOCOL);
    expect(await client.run("still", "echo here")).toBe("here\n");
  });
});

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

function mutated(valid: Uint8Array, random: Random): Uint8Array {
  const copy = valid.slice(0, random.chance(0.3) ? random.below(valid.length) : undefined);
  for (let n = random.below(6); n >= 0; n--) copy[random.below(copy.length)] = random.below(256);
  return copy;
}
