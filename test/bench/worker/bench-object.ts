/**
 * One Durable Object class per contender. Node drives it by HTTP, one command per request, so that the clock runs in Node
 * around exactly one row; the response leaves only when what was written is on disk (the output gate).
 */
import { DurableObject } from "cloudflare:workers";
import type { Contender, FsSubject } from "../contender.ts";
import type { Params, Suite } from "../suite.ts";
import { countCost } from "./counter.ts";

export type Command =
  | { do: "nothing" }
  | { do: "prepare" | "run" | "verify"; suite: string; row: string; params: Params }
  | { do: "fill"; suite: string; params: Params }
  | { do: "count"; suite: string; row: string; params: Params }
  | { do: "restart" }
  | { do: "empty" };

export function benchObject(contender: Contender, suites: readonly Suite[]) {
  return class extends DurableObject {
    #subject: Promise<FsSubject> | undefined;

    override async fetch(request: Request): Promise<Response> {
      const command = (await request.json()) as Command;
      try {
        return Response.json((await this.#perform(command)) ?? {});
      } catch (error) {
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return Response.json({ error: message }, { status: 500 });
      }
    }

    async #perform(command: Command): Promise<unknown> {
      switch (command.do) {
        case "nothing":
          return this.ctx.storage.sync();
        case "prepare": {
          const { row, load } = this.#find(command.suite, command.row, command.params);
          await row.prepare?.(await this.#ready(), load);
          await this.ctx.storage.sync();
          // Collects another contender's garbage outside the measured time.
          return (globalThis as { gc?: () => void }).gc?.();
        }
        case "run": {
          const { row, load } = this.#find(command.suite, command.row, command.params);
          const subject = await this.#ready();
          const start = performance.now();
          await row.run(subject, load);
          await this.ctx.storage.sync();
          return { inside: performance.now() - start };
        }
        case "verify": {
          const { row, load } = this.#find(command.suite, command.row, command.params);
          return row.verify?.(await this.#ready(), load);
        }
        case "fill": {
          const { suite, load } = this.#suite(command.suite, command.params);
          return suite.beforeCounts(await this.#ready(), load);
        }
        case "count":
          return this.#count(command.suite, command.row, command.params);
        case "restart":
          return this.ctx.abort("restarted by the bench");
        case "empty":
          await this.ctx.storage.deleteAll();
          return this.ctx.abort("emptied by the bench");
        default:
          return command satisfies never;
      }
    }

    async #count(suiteName: string, rowId: string, params: Params) {
      const { suite, load } = this.#suite(suiteName, params);
      const row = suite.counts.find((candidate) => candidate.id === rowId);
      if (!row) throw new Error(`no counted operation "${rowId}" in suite "${suiteName}"`);
      const subject = await this.#ready();
      await row.prepare?.(subject, load);
      const options = { singleStatements: contender.singleStatements ?? false };
      return countCost(this.ctx.storage.sql, options, () => row.run(subject, load));
    }

    #ready(): Promise<FsSubject> {
      this.#subject ??= contender.start(this.ctx.storage);
      return this.#subject;
    }

    #find(suiteName: string, rowId: string, params: Params) {
      const { suite, load } = this.#suite(suiteName, params);
      const row = suite.rows.find((candidate) => candidate.id === rowId);
      if (!row) throw new Error(`no row "${rowId}" in suite "${suiteName}"`);
      return { row, load };
    }

    #suite(name: string, params: Params) {
      const suite = suites.find((candidate) => candidate.name === name);
      if (!suite) throw new Error(`no suite "${name}"`);
      return { suite, load: loadOnce(suite, params) };
    }
  };
}

// All objects share one isolate, and all work on the very same strings.
const loads = new Map<string, unknown>();

function loadOnce(suite: Suite, params: Params): unknown {
  const key = `${suite.name} ${JSON.stringify(params)}`;
  if (!loads.has(key)) {
    loads.clear();
    loads.set(key, suite.load(params));
  }
  return loads.get(key);
}
