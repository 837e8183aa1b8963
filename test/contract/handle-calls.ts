/** Every call of Node's `FileHandle` in every shape. The compiler holds the list to Node's own types. */
import type { ReadOptionsWithBuffer, WriteOptions } from "node:fs";
import type * as node from "node:fs/promises";
import type { FileHandle } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { concat, expectBytes, fails, type Make, pattern, testsOn, text, utf8 } from "./subject.ts";

type HandleCall = Exclude<keyof node.FileHandle, keyof NodeJS.EventEmitter>;
/** The Node adapter has streams; there are no descriptors, and one owner. */
type AbsentFromHandle =
  | "fd"
  | "chown"
  | "createReadStream"
  | "createWriteStream"
  | "getAsyncId"
  | typeof Symbol.dispose;

/** Those that have tests in test/contract/handles.ts stand here by name. */
const handleCalls: { [C in Exclude<HandleCall, AbsentFromHandle>]: keyof FileHandle } = {
  appendFile: "appendFile",
  chmod: "chmod",
  close: "close",
  datasync: "datasync",
  read: "read",
  readFile: "readFile",
  readLines: "readLines",
  readableWebStream: "readableWebStream",
  readv: "readv",
  stat: "stat",
  sync: "sync",
  truncate: "truncate",
  utimes: "utimes",
  write: "write",
  writeFile: "writeFile",
  writev: "writev",
  [Symbol.asyncDispose]: Symbol.asyncDispose,
};
const READ_OPTIONS: { [O in keyof Required<ReadOptionsWithBuffer<Uint8Array>>]: true } = {
  buffer: true,
  offset: true,
  length: true,
  position: true,
};
const WRITE_OPTIONS: { [O in keyof Required<WriteOptions>]: true } = { offset: true, length: true, position: true };

export function handleCallsContract(make: Make): void {
  const it = testsOn(make);
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

  describe("FileHandle calls", () => {
    it("a handle has every call of Node's", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w");
      for (const name of Object.values(handleCalls)) expect([name, typeof file[name]]).toEqual([name, "function"]);
      expect([Object.keys(READ_OPTIONS).length, Object.keys(WRITE_OPTIONS).length]).toEqual([4, 3]);
    });

    it("read takes options, a buffer in them, or nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "0123456789");
      await using file = await fs.open(`${root}/f`);
      const buffer = utf8("________");
      expect((await file.read(buffer, { offset: 1, length: 3, position: 2 })).bytesRead).toBe(3);
      expect(decode(buffer)).toBe("_234____");
      const given = await file.read({ buffer: utf8("____"), offset: 1, position: 9n });
      expect([given.bytesRead, decode(given.buffer)]).toEqual([1, "_9__"]);
      const created = await file.read();
      expect([created.bytesRead, created.buffer.byteLength]).toEqual([10, 16384]);
      expect((await file.read(new Uint8Array(4), null, null, 8)).bytesRead).toBe(2);
      const units = new Uint16Array(4);
      expect((await file.read(units, { offset: 2, length: 2, position: 0 })).bytesRead).toBe(2);
      expect([...units]).toEqual([0, 0x3130, 0, 0]);
      expect((await file.read(new DataView(new ArrayBuffer(3)), 0, 3, 0)).bytesRead).toBe(3);
    });

    it("write takes options, other views, and text in an encoding", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w+");
      const data = utf8("abcdef");
      const { bytesWritten, buffer } = await file.write(data, { offset: 1, length: 2, position: 3 });
      expect([bytesWritten, buffer === data]).toEqual([2, true]);
      expect((await file.write("7879", null, "hex")).bytesWritten).toBe(2);
      await file.write(new Uint16Array([0x4241]), 0, null, 8);
      await file.sync();
      expect(await text(fs, `${root}/f`)).toBe("xy\0bc\0\0\0AB");
    });

    it("readv fills buffers one after the other", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "0123456789");
      await using file = await fs.open(`${root}/f`);
      const buffers = [new Uint8Array(3), new Uint8Array(0), new Uint8Array(4)];
      const { bytesRead, buffers: same } = await file.readv(buffers);
      expect([bytesRead, same === buffers, buffers.map(decode)]).toEqual([7, true, ["012", "", "3456"]]);
      const rest = [utf8("__"), utf8("____")];
      expect([(await file.readv(rest)).bytesRead, rest.map(decode)]).toEqual([3, ["78", "9___"]]);
      expect([(await file.readv(rest, 1)).bytesRead, rest.map(decode)]).toEqual([6, ["12", "3456"]]);
      expect((await file.readv(rest)).bytesRead).toBe(0);
      await fails(file.readv([]), { code: "EINVAL" });
    });

    it("writev writes buffers one after the other", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w+");
      expect((await file.writev([utf8("ab"), utf8(""), utf8("cde")])).bytesWritten).toBe(5);
      await file.writev([utf8("X"), utf8("Y")], 1);
      await file.writev([utf8("f")], null);
      expect((await file.writev([])).bytesWritten).toBe(0);
      await file.sync();
      expect(await text(fs, `${root}/f`)).toBe("aXYdef");
    });

    it("writeFile and appendFile of a handle take encodings, signals and streams", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w");
      await file.writeFile("6162", "hex");
      await file.appendFile("6364", { encoding: "hex" });
      await file.writeFile(["e", utf8("f")]);
      await file.appendFile(
        (async function* () {
          yield "g";
          yield utf8("h");
        })(),
      );
      await fails(file.writeFile("no", { signal: AbortSignal.abort() }), { code: "ABORT_ERR" });
      await file.sync();
      expect(await text(fs, `${root}/f`)).toBe("abcdefgh");
      await using reading = await fs.open(`${root}/f`);
      await fails(reading.readFile({ signal: AbortSignal.abort() }), { code: "ABORT_ERR" });
    });

    it("readLines gives lines without their ends, and closes the handle", async ({ fs, root }) => {
      const long = "é€😀".repeat(130_000);
      const cases: [string, string[]][] = [
        ["a\r\nb\n\nc", ["a", "b", "", "c"]],
        ["a\nb\n", ["a", "b"]],
        ["", []],
        ["\n", [""]],
        ["a\rb\r\n", ["a", "b"]],
        [`${long}\n${long}`, [long, long]],
      ];
      for (const [content, expected] of cases) {
        await fs.writeFile(`${root}/f`, content);
        for (const highWaterMark of [1024, 65_536]) {
          const file = await fs.open(`${root}/f`);
          const lines: string[] = [];
          for await (const line of file.readLines({ highWaterMark })) lines.push(line);
          expect(lines.map((line) => line.length)).toEqual(expected.map((line) => line.length));
          expect(lines).toEqual(expected);
          await fails(file.read(new Uint8Array(1)), { code: "EBADF" });
        }
      }
    });

    it("readLines reads a part, and leaves the handle open when it is asked to", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "ab\ncd\nef\n");
      const part = async (options: Parameters<FileHandle["readLines"]>[0]) => {
        await using file = await fs.open(`${root}/f`);
        const lines: string[] = [];
        for await (const line of file.readLines({ ...options, autoClose: false })) lines.push(line);
        await file.stat();
        return lines;
      };
      expect(await part({ start: 3 })).toEqual(["cd", "ef"]);
      expect(await part({ start: 1, end: 4 })).toEqual(["b", "cd"]);
      expect(await part({ end: 3, encoding: "utf8" })).toEqual(["ab", "c"]);
    });

    it("readableWebStream gives the rest of the file", async ({ fs, root }) => {
      const content = pattern(1_700_000);
      await fs.writeFile(`${root}/f`, content);
      const file = await fs.open(`${root}/f`);
      await file.read(new Uint8Array(10));
      expectBytes(await collect(file.readableWebStream()), content.subarray(10));
      expect((await file.stat()).size).toBe(1_700_000);
      await file.close();
      const closing = await fs.open(`${root}/f`);
      expectBytes(await collect(closing.readableWebStream({ autoClose: true })), content);
      await fails(closing.stat(), { code: "EBADF" });
    });
  });
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(new Uint8Array(part));
  return concat(...parts);
}
