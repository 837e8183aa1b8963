/** What a sync holds in memory, and what it sends again after a cut: both are bounded, whatever the size of the tree or the file. */
import { decodeMessage } from "@workspace/protocol";
import { expect, it } from "vitest";
import { openContainer } from "../../packages/workspace/src/container/container.ts";
import { StoppingWire } from "../property/sync-wire.ts";
import { DaemonFixture, run, treeOf } from "../support/workerd/daemon-fixture.ts";
import { inObject } from "../support/workerd/in-object.ts";

const MIB = 1024 * 1024;
const LARGE = 24 * MIB;
/** Longer than a question waits for its answer: what was not answered is then named. */
const timeout = 300_000;

it("sync holds at most 8 MiB of contents in the object, for many files and a large one, both ways", { timeout }, () =>
  inObject(async ({ volume, fs }) => {
    await using daemon = await DaemonFixture.start();
    const container = openContainer(volume, { sandbox: daemon.sandbox });
    // Some of every size up to what travels with its entry, and more of them than fit eight messages.
    const sizes = Array.from({ length: 400 }, (_, i) => 1000 * (1 + (i % 250)));
    const entries = sizes.map((size, i) => ({ path: `/workspace/many/${i}`, content: `${i} `.padEnd(size, "x") }));
    for (let i = 0; i < entries.length; i += 50) await fs.writeMany(entries.slice(i, i + 50));
    await fs.writeFile("/workspace/large", bytes(LARGE, 1));
    await container.sync();
    const pushed = container.syncer.peakBufferedBytes;
    container.syncer.peakBufferedBytes = 0;
    const { exit } = await run(
      container,
      "cp -r many there && for f in there/*; do echo y >> $f; done; (cat large; echo y) > larger",
    );
    expect(exit.sync?.pulled).toMatchObject({ entries: 402 });
    const pulled = container.syncer.peakBufferedBytes;
    for (const max of [pushed, pulled]) {
      // Below this nothing would travel while the next is made, and the count would be wrong.
      expect(max).toBeGreaterThan(2 * MIB);
      expect(max).toBeLessThanOrEqual(8 * MIB);
    }
    expect(await daemon.tree()).toEqual(await treeOf(fs));
    container.link.close();
  }),
);

it("push of a large file continues where it was cut", { timeout }, () =>
  inObject(async ({ volume, fs }) => {
    await using daemon = await DaemonFixture.start();
    const sent = new Sent(daemon.sandbox);
    const container = openContainer(volume, { sandbox: sent });
    await container.sync();
    await fs.writeFile("/workspace/large", bytes(LARGE, 2));
    await daemon.cut(LARGE / 2);
    await expect(container.sync()).rejects.toMatchObject({ name: "ContainerError" });
    sent.staged = 0;
    await container.sync();
    expect(sent.staged).toBeGreaterThan(0);
    expect(sent.staged).toBeLessThan(0.7 * LARGE);
    expect(await daemon.tree()).toEqual(await treeOf(fs));
    container.link.close();
  }),
);

it(
  "sync reports ENOSPC when the container's disk fills up during a large file, and sends the file afterwards",
  { timeout },
  () =>
    inObject(async ({ volume, fs }) => {
      await using daemon = await DaemonFixture.start();
      const wire = new StoppingWire(daemon.sandbox);
      const container = openContainer(volume, { sandbox: wire });
      await container.sync();
      await fs.writeFile("/workspace/large", bytes(LARGE, 3));
      let pieces = 0;
      wire.always("stage", async () => {
        pieces++;
        if (pieces === 3 || pieces === 4) await daemon.disturb({ full: pieces === 3 });
      });
      await expect(container.sync()).rejects.toMatchObject({ message: expect.stringContaining("ENOSPC") });
      await daemon.disturb({ full: false });
      await container.sync();
      expect(await daemon.tree()).toEqual(await treeOf(fs));
      container.link.close();
    }),
);

it("pull of a large file continues where it was cut, and the sync completes", { timeout }, () =>
  inObject(async ({ volume, fs }) => {
    await using daemon = await DaemonFixture.start();
    const wire = new StoppingWire(daemon.sandbox);
    const container = openContainer(volume, { sandbox: wire });
    await container.sync();
    await daemon.do({ do: "mkdir", path: "z" });
    await daemon.write("grown", "y".repeat(LARGE / 2));
    let pieces = 0;
    wire.always("read", async () => {
      if (++pieces === 6) wire.cutAfter("read");
    });
    await container.sync();
    // Twelve of the file, and those that were on their way when it was cut.
    expect(pieces).toBeGreaterThan(6);
    expect(pieces).toBeLessThan(12 + 6);
    expect(await daemon.tree()).toEqual(await treeOf(fs));
    container.link.close();
  }),
);

function bytes(size: number, seed: number): Uint8Array {
  const words = new Uint32Array(size / 4);
  for (let i = 0, word = seed; i < words.length; i++) words[i] = word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
  return new Uint8Array(words.buffer);
}

/** Counts the bytes of pieces that are sent. */
class Sent {
  staged = 0;
  readonly #inner: { fetch(request: Request): Promise<Response> };

  constructor(inner: { fetch(request: Request): Promise<Response> }) {
    this.#inner = inner;
  }

  async fetch(request: Request): Promise<Response> {
    const response = await this.#inner.fetch(request);
    const socket = response.webSocket;
    if (!socket) return response;
    const send = socket.send.bind(socket);
    socket.send = (data: Uint8Array) => {
      const { header, body } = decodeMessage(data);
      if (header.verb === "stage") this.staged += body.length;
      send(data);
    };
    return response;
  }
}
