/** Contents go packed over a link that is slow, where they shrink, and not otherwise; both ways, in bounded memory. */
import { PACKING_PROTOCOL } from "@workspace/protocol";
import { afterEach, expect, it, vi } from "vitest";
import { openContainer, type WorkspaceContainer } from "../../packages/workspace/src/container/container.ts";
import { DaemonFixture, run, treeOf } from "../support/workerd/daemon-fixture.ts";
import { inObject } from "../support/workerd/in-object.ts";

const MIB = 1024 * 1024;
const SLOW = 4 * MIB;
const SIZE = 8 * MIB;

type Fill = (size: number, seed: number) => Uint8Array;

const text: Fill = (size, seed) => {
  const line = new TextEncoder().encode(`export function number${seed}(): string { return "the same again"; }\n`);
  return Uint8Array.from({ length: size }, (_, i) =>
    i % 97 === 0 ? (i * seed) % 251 : (line[i % line.length] as number),
  );
};

const noise: Fill = (size, seed) => {
  const words = new Uint32Array(size / 4);
  for (let i = 0, word = seed; i < words.length; i++) {
    word ^= word << 13;
    word ^= word >>> 17;
    words[i] = word ^= word << 5;
  }
  return new Uint8Array(words.buffer);
};

afterEach(() => void vi.useRealTimers());

/** By stopped watches on both sides every transfer takes no time: a fast link, however busy the machine is. */
async function stopWatches(daemon: DaemonFixture): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"] });
  await daemon.disturb({ stopped: true });
}

/** Bytes on the wire for `SIZE` bytes in many files and as many in a large one: pushed, and pulled back. */
async function carried(rate: number | undefined, fill: Fill): Promise<{ up: number; down: number; held: number }> {
  return inObject(async ({ volume, fs }) => {
    await using daemon = await DaemonFixture.start();
    const container = openContainer(volume, { sandbox: daemon.sandbox });
    await container.sync();
    if (rate === undefined) await stopWatches(daemon);
    else await daemon.throttle(rate);
    // The first message is the one that tells how fast the link is.
    await fs.writeFile("/workspace/first", fill(MIB, 1));
    await container.sync();
    await daemon.traffic();
    const files = Array.from({ length: 64 }, (_, i) => ({
      path: `/workspace/many/${i}`,
      content: fill(SIZE / 64, i + 2),
    }));
    await fs.writeMany(files);
    await fs.writeFile("/workspace/large", fill(SIZE, 77));
    await container.sync();
    const { up } = await daemon.traffic();
    const down = await pulled(container, daemon);
    expect(await daemon.tree()).toEqual(await treeOf(fs));
    container.link.close();
    return { up, down, held: container.syncer.peakBufferedBytes };
  });
}

async function pulled(container: WorkspaceContainer, daemon: DaemonFixture): Promise<number> {
  await run(container, "cp large warm; echo y >> warm");
  await daemon.traffic();
  const { exit } = await run(
    container,
    "for f in many/*; do (cat $f; echo y) > $f.new; done; (cat large; echo y) > larger",
  );
  expect(exit.sync?.pulled.entries).toBe(65);
  return (await daemon.traffic()).down;
}

it("sync compresses text on a slow link, both ways, without more memory in the object", async () => {
  const { up, down, held } = await carried(SLOW, text);
  for (const bytes of [up, down]) {
    expect(bytes).toBeGreaterThan(0.02 * 2 * SIZE);
    expect(bytes).toBeLessThan(0.5 * 2 * SIZE);
  }
  expect(held).toBeLessThanOrEqual(8 * MIB);
});

it("sync sends incompressible content as it is on a slow link", async () => {
  const { up, down } = await carried(SLOW, noise);
  for (const bytes of [up, down]) expect(bytes).toBeGreaterThanOrEqual(2 * SIZE);
});

it("sync does not compress on a fast link", async () => {
  const { up, down } = await carried(undefined, text);
  for (const bytes of [up, down]) expect(bytes).toBeGreaterThanOrEqual(2 * SIZE);
});

it("sync compresses nothing for a daemon of an earlier version", () =>
  inObject(async ({ volume, fs }) => {
    await using daemon = await DaemonFixture.start();
    const container = openContainer(volume, { sandbox: earlier(daemon.sandbox) });
    await daemon.throttle(SLOW);
    await fs.writeFile("/workspace/a", text(2 * MIB, 1));
    await container.sync();
    await daemon.traffic();
    await fs.writeFile("/workspace/b", text(2 * MIB, 2));
    await container.sync();
    expect((await container.link.connect()).hello.protocol).toBe(PACKING_PROTOCOL - 1);
    expect((await daemon.traffic()).up).toBeGreaterThanOrEqual(2 * MIB);
    container.link.close();
  }));

/** Says hello as a workspace of the version before: the daemon then is as old. */
function earlier(inner: { fetch(request: Request): Promise<Response> }) {
  return {
    async fetch(request: Request): Promise<Response> {
      const response = await inner.fetch(request);
      const socket = response.webSocket;
      if (!socket) return response;
      const send = socket.send.bind(socket);
      socket.send = (data: Uint8Array) => {
        const now = `"protocol":${PACKING_PROTOCOL}`;
        const hello = new TextDecoder("latin1").decode(data.subarray(0, 500));
        const at = hello.includes('"verb":"hello"') ? hello.indexOf(now) : -1;
        if (at >= 0) data[at + now.length - 1] = 0x30 + PACKING_PROTOCOL - 1;
        send(data);
      };
      return response;
    },
  };
}
