/** isomorphic-git, which knows Node's `fs.promises` alone, works on a workspace's files. It passes Buffers and uses them again. */
import { env } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import { inObject } from "@workspace/testing/in-object";
import git, { type HttpClient } from "isomorphic-git";
import { expect, it } from "vitest";
import { Workspace } from "./index.ts";

(globalThis as { Buffer?: unknown }).Buffer ??= Buffer;

const http: HttpClient = {
  async request({ url, method = "GET", headers = {}, body }) {
    const parts: Uint8Array[] = [];
    for await (const part of body ?? []) parts.push(part);
    const sent = parts.length === 0 ? null : Buffer.concat(parts);
    const response = await env.GIT_SERVER.fetch(url, { method, headers, body: sent });
    return {
      url,
      method,
      statusCode: response.status,
      statusMessage: response.statusText,
      headers: Object.fromEntries(response.headers),
      body: (response.body ?? []) as unknown as AsyncIterableIterator<Uint8Array>,
    };
  },
};

it("isomorphic-git clones a pack of several MiB, commits and reads the log", () =>
  inObject(async ({ storage }) => {
    const workspace = new Workspace({ storage });
    const fs = { promises: workspace.fs };
    const dir = "/workspace/large";
    await git.clone({ fs, http, dir, url: "http://git.test/large.git" });
    const real = await workspace.git.cli({ argv: ["fsck", "--full"], cwd: dir });
    expect([real.exitCode, new TextDecoder().decode(real.stderr)]).toEqual([0, ""]);
    expect((await workspace.fs.stat(`${dir}/large.bin`)).size).toBe(5 * 1024 * 1024);
    const status = await workspace.git.cli({ argv: ["status", "--porcelain"], cwd: dir });
    expect(new TextDecoder().decode(status.stdout)).toBe("");

    await workspace.fs.writeFile(`${dir}/docs/b.txt`, "b\n");
    await git.add({ fs, dir, filepath: "docs/b.txt" });
    const author = { name: "A", email: "a@example.com" };
    const oid = await git.commit({ fs, dir, message: "b", author });
    const log = await git.log({ fs, dir });
    expect(log.map(({ commit }) => commit.message)).toEqual(["b\n", "large\n"]);
    const head = await workspace.git.cli({ argv: ["rev-parse", "HEAD"], cwd: dir });
    expect(new TextDecoder().decode(head.stdout)).toBe(`${oid}\n`);
  }));

it.each(["true", "input", "false"])("isomorphic-git adds, compares and checks out with core.autocrlf=%s", (autocrlf) =>
  inObject(async ({ storage }) => {
    const workspace = new Workspace({ storage });
    const fs = { promises: workspace.fs };
    const dir = "/workspace/lines";
    const author = { name: "A", email: "a@example.com" };
    await git.init({ fs, dir });
    await git.setConfig({ fs, dir, path: "core.autocrlf", value: autocrlf });
    await workspace.fs.writeFile(`${dir}/a.txt`, "one\r\ntwo\r\n");
    await git.add({ fs, dir, filepath: "a.txt" });
    await git.commit({ fs, dir, message: "lines", author });
    expect(await git.status({ fs, dir, filepath: "a.txt" })).toBe("unmodified");
    expect(await git.statusMatrix({ fs, dir })).toEqual([["a.txt", 1, 1, 1]]);
    const { stdout } = await workspace.git.cli({ argv: ["cat-file", "blob", "HEAD:a.txt"], cwd: dir });
    expect(new TextDecoder().decode(stdout)).toBe(autocrlf === "true" ? "one\ntwo\n" : "one\r\ntwo\r\n");
    await workspace.fs.writeFile(`${dir}/a.txt`, "three\r\n");
    expect(await git.status({ fs, dir, filepath: "a.txt" })).toBe("*modified");
    await git.checkout({ fs, dir, force: true });
    expect(await git.status({ fs, dir, filepath: "a.txt" })).toBe("unmodified");
  }),
);
