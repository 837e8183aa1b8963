/**
 * agentfs-sdk in a Durable Object (`agentfs-sdk/cloudflare`). It has no mkdir -p, no find and no streams: directories are made
 * level by level, a stream goes through its file handle in large blocks.
 */
import { AgentFS } from "agentfs-sdk/cloudflare";
import type { Contender } from "../contender.ts";
import { blocks } from "../worker/blocks.ts";

const BLOCK_BYTES = 1024 * 1024;

export const contender: Contender = {
  id: "agentfs",
  async start(storage) {
    const fs = AgentFS.create(storage as never);
    return {
      makesParents: true,
      makeDirectories: async (path) => {
        const names = path.split("/").slice(1);
        for (let depth = 1; depth <= names.length; depth++) {
          await fs.mkdir(`/${names.slice(0, depth).join("/")}`).catch(unlessItExists);
        }
      },
      writeText: (path, text) => fs.writeFile(path, text),
      readText: (path) => fs.readFile(path, "utf8"),
      stat: async (path) => (await fs.stat(path)).size,
      // Names with types, as everyone else lists them.
      list: async (path) => (await fs.readdirPlus(path)).length,
      rename: (from, to) => fs.rename(from, to),
      removeTree: (path) => fs.rm(path, { recursive: true }),
      writeStream: async (path, content) => {
        await fs.writeFile(path, "");
        const file = await fs.open(path);
        let offset = 0;
        for await (const block of blocks(content, BLOCK_BYTES)) {
          await file.pwrite(offset, Buffer.from(block.buffer, 0, block.byteLength));
          offset += block.byteLength;
        }
      },
      readStream: async (path) => readBlocks(await fs.open(path)),
    };
  },
};

async function* readBlocks(file: { pread(offset: number, size: number): Promise<Uint8Array> }) {
  for (let offset = 0; ; offset += BLOCK_BYTES) {
    const block = await file.pread(offset, BLOCK_BYTES);
    if (block.length > 0) yield block;
    if (block.length < BLOCK_BYTES) return;
  }
}

function unlessItExists(error: unknown): void {
  if ((error as { code?: string }).code !== "EEXIST") throw error;
}
