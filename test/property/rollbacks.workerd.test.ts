/**
 * PROPERTY_SEED repeats a run, PROPERTY_RUNS lengthens it. Random changes of names and contents, through paths and through handles, with transactions of the host
 * around some of them, in one another too. After a rollback everything that a caller can see is what it was before, through each
 * handle as well; at the end the database is sound, and nothing is left of what writers reserved.
 */
import { env } from "cloudflare:workers";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { ENDINGS } from "@workspace/testing/rollbacks";
import { createFileSystem, createHistory, type FileHandle, FsError, fsck, gc } from "@workspace/vfs";
import * as fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { Settings } from "../support/workerd/node-services.ts";

const RUNS = 100;
const LIMITS = { chunkBytes: 32, rowBytes: 96, handleBytes: 48, nodeEntries: 4, denseBytes: 24, gcStepRows: 12 };
const PATHS = ["a", "b", "d/c"].map((name) => `/workspace/${name}`);
const HANDLES = 3;

type Step =
  | { op: "write" | "append" | "unlink" | "undo"; path: number; length: number }
  | { op: "rename" | "link"; path: number; to: number }
  | { op: "open"; handle: number; path: number }
  | { op: "sync"; handle: number; at: number; length: number; truncate: number | null }
  | { op: "chmod" | "close" | "collect"; handle: number }
  | { op: "transaction"; ending: string; steps: Step[] };

const path = fc.nat({ max: PATHS.length - 1 });
const handle = fc.nat({ max: HANDLES - 1 });
const length = fc.integer({ min: 1, max: 150 });
const op = <const Op extends string>(...names: Op[]) => fc.constantFrom(...names);
const change: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: op("write", "append", "unlink", "unlink", "undo"), path, length }) },
  { weight: 2, arbitrary: fc.record({ op: op("rename", "link"), path, to: path }) },
  { weight: 3, arbitrary: fc.record({ op: op("open"), handle, path }) },
  {
    weight: 6,
    arbitrary: fc.record({
      op: op("sync"),
      handle,
      at: fc.nat({ max: 200 }),
      length,
      truncate: fc.option(fc.nat({ max: 100 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: op("chmod", "close"), handle }) },
);
const transaction = (steps: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc.record({
    op: op("transaction"),
    ending: op(...Object.keys(ENDINGS)),
    steps: fc.array(steps, { minLength: 1, maxLength: 8 }),
  });
const inside = fc.oneof({ weight: 6, arbitrary: change }, { weight: 1, arbitrary: transaction(change) });
const step = fc.oneof(
  { weight: 6, arbitrary: change },
  { weight: 4, arbitrary: transaction(inside) },
  { weight: 1, arbitrary: fc.record({ op: op("collect"), handle }) },
);

/** Fails with errors of the file system only where a call may: what is missing, taken, or gone with a rollback. */
async function outcome<T>(call: () => Promise<T>): Promise<T | string> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof FsError) return error.code;
    throw error;
  }
}

class Play {
  readonly #inside: Inside;
  readonly #handles: (FileHandle | undefined)[] = [];
  #count = 0;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const one of steps) await this.#step(one);
  }

  async end(): Promise<void> {
    for (const open of this.#handles) await outcome(async () => open?.close());
    await this.#expectSound();
    await gc(this.#inside.volume, { retention: { entries: 0 } });
    await this.#expectSound();
    expect(this.#inside.storage.sql.exec("SELECT count(*) AS n FROM ws_spool").one().n).toBe(0);
    const orphans = "SELECT count(*) AS n FROM ws_inode WHERE nlink = 0";
    expect(this.#inside.storage.sql.exec(orphans).one().n).toBe(0);
  }

  async #expectSound(): Promise<void> {
    expect((await fsck(this.#inside.volume)).problems).toEqual([]);
  }

  async #step(one: Step): Promise<void> {
    const { volume } = this.#inside;
    const callId = `call ${this.#count++}`;
    const fs = createFileSystem(volume, { callId });
    const at = (index: number) => PATHS[index] as string;
    const bytes = (size: number) => new Uint8Array(size).fill(this.#count % 251);
    switch (one.op) {
      case "write":
        return void (await outcome(() => fs.writeFile(at(one.path), bytes(one.length))));
      case "append":
        return void (await outcome(() => fs.appendFile(at(one.path), bytes(one.length))));
      case "unlink":
        return void (await outcome(() => fs.unlink(at(one.path))));
      case "undo":
        return void (await outcome(() => createHistory(volume).undo({ path: at(one.path), force: true })));
      case "rename":
        return void (await outcome(() => fs.rename(at(one.path), at(one.to))));
      case "link":
        return void (await outcome(() => fs.link(at(one.path), at(one.to))));
      case "open":
        await this.#close(one.handle);
        return void (await outcome(async () => (this.#handles[one.handle] = await fs.open(at(one.path), "r+"))));
      case "sync":
        return void (await outcome(async () => {
          const open = this.#handles[one.handle];
          if (one.truncate !== null) await open?.truncate(one.truncate);
          await open?.write(bytes(one.length), 0, one.length, one.at);
          await open?.sync();
        }));
      case "chmod":
        return void (await outcome(async () => this.#handles[one.handle]?.chmod(0o600 + (this.#count % 64))));
      case "close":
        return this.#close(one.handle);
      case "collect":
        return void (await gc(volume));
      case "transaction":
        return this.#transaction(one.ending, one.steps);
      default:
        one satisfies never;
    }
  }

  async #close(index: number): Promise<void> {
    const open = this.#handles[index];
    this.#handles[index] = undefined;
    await outcome(async () => open?.close());
  }

  async #transaction(ending: string, steps: readonly Step[]): Promise<void> {
    const handles = [...this.#handles];
    const before = await this.#picture(handles);
    await ENDINGS[ending]?.(this.#inside, () => this.run(steps));
    if (ending === "commits") return;
    const open = handles.map((one) => (this.#handles.includes(one) ? one : undefined));
    const after = await this.#picture(open);
    expect(after.paths).toEqual(before.paths);
    for (const [i, seen] of after.handles.entries()) if (open[i] !== undefined) expect(seen).toEqual(before.handles[i]);
  }

  /** Everything that a caller can see. */
  async #picture(handles: readonly (FileHandle | undefined)[]) {
    const { fs } = this.#inside;
    const about = async (stat: Awaited<ReturnType<FileHandle["stat"]>>, content: Uint8Array) =>
      `${stat.ino} ${stat.version} ${stat.mode} ${stat.nlink} ${stat.size} ${stat.mtimeMs}: ${content.join()}`;
    const paths = PATHS.map((one) => outcome(async () => about(await fs.stat(one), await fs.readFile(one))));
    const seen = handles.map((open) =>
      outcome(async () => {
        if (open === undefined) return "";
        const stat = await open.stat();
        const content = new Uint8Array(stat.size + 1);
        const { bytesRead } = await open.read(content, 0, content.length, 0);
        return about(stat, content.subarray(0, bytesRead));
      }),
    );
    return { paths: await Promise.all(paths), handles: await Promise.all(seen) };
  }
}

let seed = 0;
let runs = RUNS;

beforeAll(async () => {
  const settings = (await (await env.SETTINGS.fetch("http://settings")).json()) as Settings;
  seed = settings.seed;
  runs = Number(settings.runs ?? RUNS);
  console.log(`rollbacks: PROPERTY_SEED=${seed}`);
});

it(`a rollback restores the state before the transaction, in ${RUNS} random sequences`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), (steps) =>
      inObject(
        async (inside) => {
          await inside.fs.mkdir("/workspace/d");
          for (const one of PATHS) await inside.fs.writeFile(one, one);
          const play = new Play(inside);
          await play.run(steps);
          await play.end();
        },
        { limits: LIMITS },
        `rollbacks ${crypto.randomUUID()}`,
      ),
    ),
    { numRuns: runs, seed },
  );
});
