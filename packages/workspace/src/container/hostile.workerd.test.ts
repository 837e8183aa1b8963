import { decodeMessage, encodeMessage, SYNC_LIMITS } from "@workspace/protocol";
import { treeOf } from "@workspace/testing/daemon-fixture";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { expect, it } from "vitest";
import { openContainer } from "./container.ts";

type Reply = (
  verb: string,
  header: Record<string, unknown>,
  send: (bytes: ArrayBuffer | Uint8Array | string) => void,
) => void;

/** A daemon that says hello as it should, and then whatever it likes. */
function hostile(reply: Reply, protocol: number) {
  return {
    fetch: async () => {
      const { 0: near, 1: far } = new WebSocketPair();
      far.binaryType = "arraybuffer";
      far.accept();
      far.addEventListener("message", ({ data }) => {
        const { header } = decodeMessage(new Uint8Array(data as ArrayBuffer));
        const verb = header.verb as string;
        const hello = { re: header.id, protocol, instance: "evil", root: "/workspace", isolated: true };
        if (verb === "hello") return far.send(encodeMessage(hello));
        reply(verb, header, (bytes) => far.send(bytes));
      });
      return new Response(null, { status: 101, webSocket: near });
    },
  };
}

const scan = { scan: 1, entries: 1, bytes: 1, treeEntries: 1, treeBytes: 1, skipped: [], behind: [] };
const entry = {
  op: "put",
  path: "evil",
  type: "file",
  base: null,
  mode: 0o644,
  mtime: 1,
  size: 1,
  hash: "0",
  bytes: 1,
};

/** Answers as it should until `verb`, and then this. */
const lies: [name: string, verb: string, answer: object | Uint8Array | string, body?: Uint8Array][] = [
  ["bytes that are no message", "scan", Uint8Array.of(1, 2, 3)],
  ["text", "scan", "hello"],
  ["a header longer than the message", "scan", Uint8Array.of(0, 0, 255, 255, 1)],
  ["JSON that is no object", "scan", Uint8Array.of(0, 0, 0, 2, 91, 93)],
  ["a scan without its fields", "scan", {}],
  ["a scan of minus one entries", "scan", { ...scan, entries: -1 }],
  [
    "a batch with a path that leads out",
    "take",
    { entries: [{ ...entry, path: "../../etc/passwd" }], next: null },
    Uint8Array.of(1),
  ],
  [
    "a batch with an absolute path",
    "take",
    { entries: [{ ...entry, path: "/etc/passwd" }], next: null },
    Uint8Array.of(1),
  ],
  ["a batch that never ends", "take", { entries: [entry], next: 0 }, Uint8Array.of(1)],
  ["a batch without entries", "take", { entries: [], next: null }],
  ["more bytes than were said", "take", { entries: [entry], next: null }, new Uint8Array(100)],
  ["fewer bytes than were said", "take", { entries: [{ ...entry, size: 9, bytes: 9 }], next: null }, Uint8Array.of(1)],
  ["a type that is none", "take", { entries: [{ ...entry, type: "device" }], next: null }, Uint8Array.of(1)],
  ["a mode that is none", "take", { entries: [{ ...entry, mode: 2 ** 40 }], next: null }, Uint8Array.of(1)],
  ["a symlink without a target", "take", { entries: [{ ...entry, type: "symlink", bytes: undefined }], next: null }],
  ["outcomes of other offers", "apply", { outcomes: [] }],
];

it(
  "a hostile daemon is answered with EPROTO, and changes nothing",
  () =>
    inObject(async () => {
      for (const [name, verb, answer, body] of lies) await inObject((inside) => lie(inside, name, verb, answer, body));
    }),
  60_000,
);

it("a hostile daemon's packed bodies are held to the length that they say, whatever is in them", async () => {
  const size = 100_000;
  const packed = await deflated(new Uint8Array(size));
  const large = await deflated(new Uint8Array(64 * 1024 * 1024));
  const batch = { entries: [{ ...entry, size, bytes: size }], next: null, packed: size };
  const max = SYNC_LIMITS.messageBytes;
  const bodies: [name: string, answer: object, body: Uint8Array, protocol?: number][] = [
    ["more than it says", { ...batch, packed: 50_000 }, packed],
    ["less than it says", { ...batch, packed: 100_001 }, packed],
    ["more than anybody may say", { ...batch, packed: max + 1 }, packed],
    ["no more than it is", { ...batch, packed: packed.length }, packed],
    ["a length that is none", { ...batch, packed: "100000" }, packed],
    ["a bomb", { ...batch, packed: max }, large],
    ["bytes that are not packed", { ...batch }, new Uint8Array(1000).fill(0xff)],
    ["half of it", { ...batch }, packed.subarray(0, packed.length >> 1)],
    ["packed without having agreed on it", { ...batch }, packed, 1],
  ];
  for (const [name, answer, body, protocol] of bodies)
    await inObject((inside) => lie(inside, name, "take", answer, body, protocol));
});

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function lie(
  { fs, volume }: Inside,
  name: string,
  at: string,
  answer: object | string,
  body?: Uint8Array,
  protocol: number = SYNC_LIMITS.protocol,
): Promise<void> {
  await fs.writeFile("/workspace/mine", "mine");
  const before = await treeOf(fs);
  const sandbox = hostile((verb, { id, entries = [] }, send) => {
    if (verb === at)
      return send(
        answer instanceof Uint8Array || typeof answer === "string"
          ? answer
          : encodeMessage({ ...answer, re: id }, body),
      );
    const honest: Record<string, object> = { scan, apply: { outcomes: (entries as unknown[]).map(() => "ok") } };
    send(encodeMessage({ ...honest[verb], re: id }));
  }, protocol);
  const container = openContainer(volume, { sandbox });
  await expect(container.sync(), name).rejects.toMatchObject({ code: "EPROTO" });
  expect(await treeOf(fs), name).toEqual(before);
}
