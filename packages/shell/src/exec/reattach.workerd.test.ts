/** An execution whose process outlives the object, on a scripted backend: seqs, disconnects, evictions. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";
import { createShell } from "@cloudflare/workspace/shell";
import type { ExecBackend, ProcessEvent, ProcessName } from "@workspace/shell";
import { describe, expect, it } from "vitest";

const bytes = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));

/** A backend outside of any object's memory. */
class Elsewhere implements ExecBackend {
  readonly name = "container";
  readonly events: ProcessEvent[] = [];
  starts = 0;
  attached: number[] = [];
  knows = true;
  /** The event stream breaks off after this many. */
  cutAfter = Number.POSITIVE_INFINITY;

  print(name: "stdout" | "stderr", value: Uint8Array): void {
    this.events.push({ seq: this.events.length + 1, name, value });
  }

  exit(exitCode: number): void {
    this.events.push({ seq: this.events.length + 1, name: "exit", value: { state: "exited", exitCode } });
  }

  async start() {
    this.starts++;
    return this.#process(0);
  }

  async attach(_process: ProcessName, afterSeq: number) {
    this.attached.push(afterSeq);
    this.cutAfter = Number.POSITIVE_INFINITY;
    return this.knows ? this.#process(afterSeq) : null;
  }

  #process(afterSeq: number) {
    const nothing = async () => {};
    return { events: this.#follow(afterSeq), kill: nothing, write: nothing, closeStdin: nothing };
  }

  async *#follow(afterSeq: number): AsyncGenerator<ProcessEvent> {
    for (let next = afterSeq; ; ) {
      const event = this.events[next];
      if (event === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      else {
        if (next++ >= this.cutAfter) throw new Error("the connection was cut");
        yield event;
        if (event.name === "exit") return;
      }
    }
  }
}

function on<T>(name: string, backend: ExecBackend, body: (ws: Workspace) => Promise<T>): Promise<T> {
  return runInDurableObject(env.BARE.getByName(name), (_, { storage }) =>
    body(
      new Workspace({
        storage,
        shell: (host) => createShell({ ...host, containerBackend: backend }),
        shellSettings: { limits: { pageDelayMs: 40, attachPauseMs: 1 } },
      }),
    ),
  );
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("an execution whose process lives elsewhere", () => {
  it("is found again after an eviction, from any seq, with nothing lost or repeated", async () => {
    const backend = new Elsewhere();
    const name = "reattach";
    await on(name, backend, async (ws) => {
      await ws.shell.exec("build", { id: "build" });
      backend.print("stdout", latin1("one \xc3"));
      backend.print("stderr", bytes("warning\n"));
      await pause(150);
      // Not durable yet at the eviction.
      backend.print("stdout", latin1("\xa9 two\n"));
    });
    await runInDurableObject(env.BARE.getByName(name), (_, state) => state.abort()).catch(() => {});
    backend.print("stdout", bytes("three\n"));
    await on(name, backend, async (ws) => {
      expect(await ws.shell.list()).toMatchObject([{ id: "build", state: "running", ranOn: "container" }]);
      const late = await ws.shell.get("build", { resume: 3, encoding: "utf8" });
      const full = await ws.shell.get("build", { encoding: "utf8" });
      backend.exit(7);
      const eventsOf = async (handle: AsyncIterable<{ seq: number; value: unknown }>) => {
        const found: [number, unknown][] = [];
        for await (const { seq, value } of handle) found.push([seq, value]);
        return found;
      };
      const exit = [7, { state: "exited", exitCode: 7 }];
      expect(await eventsOf(late)).toEqual([[4, "three\n"], exit]);
      expect(await eventsOf(full)).toEqual([[1, "one "], [2, "warning\n"], [3, "é two\n"], [4, "three\n"], exit]);
      expect(await full.result()).toMatchObject({ stdout: "one é two\nthree\n", exitCode: 7, ranOn: "container" });
    });
    expect(backend.starts).toBe(1);
    // From the last durable event: the third, if the object lived long enough.
    expect([[2], [3]]).toContainEqual(backend.attached);
  });

  it("continues after its events break off, and is lost if the backend does not know it", async () => {
    const cut = new Elsewhere();
    cut.cutAfter = 1;
    await on("cut", cut, async (ws) => {
      cut.print("stdout", bytes("a\n"));
      cut.print("stdout", bytes("b\n"));
      cut.exit(0);
      const { stdout, exitCode } = await (await ws.shell.exec("x", { encoding: "utf8" })).result();
      expect([stdout, exitCode, cut.attached]).toEqual(["a\nb\n", 0, [1]]);
    });
    const gone = new Elsewhere();
    Object.assign(gone, { cutAfter: 1, knows: false });
    await on("gone", gone, async (ws) => {
      gone.print("stdout", bytes("a\n"));
      gone.print("stdout", bytes("b\n"));
      const result = await (await ws.shell.exec("x", { encoding: "utf8" })).result();
      expect(result).toMatchObject({ stdout: "a\n", state: "lost", exitCode: null });
    });
    expect(gone.starts).toBe(1);
  });

  it("that could not be reached stays as it is, and is not called lost", async () => {
    const backend = new Elsewhere();
    backend.cutAfter = 0;
    const attach = backend.attach.bind(backend);
    backend.attach = () => Promise.reject(new Error("no route"));
    await on("unreachable", backend, async (ws) => {
      backend.print("stdout", bytes("a\n"));
      const run = await ws.shell.exec("x", { id: "x" });
      await expect(run.result()).rejects.toMatchObject({ code: "EAGAIN" });
      backend.attach = attach;
      backend.exit(0);
      expect(await (await ws.shell.get("x")).result()).toMatchObject({ state: "exited", exitCode: 0 });
    });
  });
});
