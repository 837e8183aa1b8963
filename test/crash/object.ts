/**
 * The Worker that is killed: one object with a workspace on its storage, and an HTTP interface to it. A response means that the
 * object's output gate let it out: what it reports is durable.
 */
import { DurableObject } from "cloudflare:workers";
import { type BulkEntry, type FileSystem, Workspace } from "@cloudflare/workspace";
import type { Call } from "./call.ts";

export class Box extends DurableObject {
  readonly workspace = new Workspace({ storage: this.ctx.storage });

  override async fetch(request: Request): Promise<Response> {
    const call = JSON.parse(decodeURIComponent(request.headers.get("x-call")!)) as Call;
    return Response.json((await this.#run(call, request)) ?? null);
  }

  async #run(call: Call, request: Request): Promise<unknown> {
    const { workspace } = this;
    const { fs } = call.callId === undefined ? workspace : workspace.as({ callId: call.callId });
    switch (call.verb) {
      case "mkdir":
        return fs.mkdir(call.path, { recursive: true });
      case "write":
        return fs.writeFile(call.path, await content(request, call.streamed));
      case "append":
        return fs.appendFile(call.path, await content(request, call.streamed));
      case "truncate":
        return fs.truncate(call.path, call.length);
      case "rename":
        return fs.rename(call.from, call.to);
      case "rm":
        return fs.rm(call.path, { recursive: true });
      case "cp":
        return fs.cp(call.from, call.to, { recursive: true });
      case "writeMany":
        return fs.writeMany(entries(call.files, new Uint8Array(await request.arrayBuffer())));
      case "patch":
        return this.#patch(fs, call.path, call.positions, new Uint8Array(await request.arrayBuffer()));
      case "undo":
        // A call that changed nothing has nothing to undo; whether that is so, the tree shows.
        return workspace.history.undo({ callId: call.undone }).catch((error: { code?: string }) => {
          if (error.code !== "ENOENT") throw error;
        });
      case "snapshot":
        return (await workspace.snapshots.create("", { pinned: false })).id;
      case "restore":
        return workspace.snapshots.restore(call.id, { paths: [call.path] });
      case "maintain":
        return workspace.maintain({ budget: 2 });
      case "gc":
        return workspace.gc({ retention: { entries: 0 } });
      case "fsck":
        return workspace.fsck();
      case "tree":
        return tree(fs, call.path);
      default:
        call satisfies never;
    }
  }

  /** Equal parts of the body at several positions, through one handle. */
  async #patch(fs: FileSystem, path: string, positions: number[], body: Uint8Array): Promise<void> {
    await using file = await fs.open(path, "r+");
    const size = body.length / positions.length;
    for (const [i, position] of positions.entries()) await file.write(body, i * size, size, position);
  }
}

async function content(request: Request, streamed: boolean): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  if (!streamed || request.body === null) return new Uint8Array(await request.arrayBuffer());
  return request.body as ReadableStream<Uint8Array>;
}

function entries(files: { path: string; size: number }[], body: Uint8Array): BulkEntry[] {
  let at = 0;
  return files.map(({ path, size }) => {
    at += size;
    return { path, content: body.subarray(at - size, at) };
  });
}

/** Every path below with its content's SHA-256, or "dir". */
async function tree(fs: FileSystem, start: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = async (directory: string, below: string) => {
    for (const { name, stat } of await fs.scan(directory)) {
      const path = `${directory}/${name}`;
      if (stat.isDirectory()) {
        found[`${below}${name}`] = "dir";
        await walk(path, `${below}${name}/`);
      } else found[`${below}${name}`] = await sha256(await fs.readFile(path));
    }
  };
  if (await fs.exists(start)) await walk(start, "");
  return found;
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface Env {
  BOX: DurableObjectNamespace<Box>;
}

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    return env.BOX.getByName(new URL(request.url).pathname).fetch(request);
  },
};
