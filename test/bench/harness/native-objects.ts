/** Contenders that live in Node do what the Durable Objects do in workerd, command by command; an object is a folder on the disk. */
import { join } from "node:path";
import type { FsSubject } from "../contender.ts";
import type { Params, Suite } from "../suite.ts";
import { nativeGit } from "../suites/git/native-git.ts";
import { nativeCopy, nativeStash } from "../suites/history/native-past.ts";
import { suites } from "../suites/index.ts";
import { nativeRg } from "../suites/search/native-rg.ts";
import { nativeBash } from "../suites/shell/native-bash.ts";
import type { Command } from "../worker/bench-object.ts";

/** As an object in workerd answers. */
export type NativeReply = { error?: string; inside?: number };

const subjects: Readonly<Record<string, (folder: string) => FsSubject>> = {
  rg: nativeRg,
  bash: nativeBash,
  git: nativeGit,
  stash: nativeStash,
  copy: nativeCopy,
};

export class NativeObjects {
  readonly #objects = new Map<string, FsSubject>();
  readonly #loads = new Map<string, unknown>();

  constructor(readonly folder: string) {}

  async perform(entrant: string, object: string, command: Command): Promise<NativeReply> {
    try {
      return await this.#perform(entrant, object, command);
    } catch (error) {
      return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  }

  async #perform(entrant: string, object: string, command: Command): Promise<NativeReply> {
    switch (command.do) {
      case "prepare":
      case "run":
      case "verify": {
        const suite = suites.find((candidate) => candidate.name === command.suite);
        const row = suite?.rows.find((candidate) => candidate.id === command.row);
        if (!suite || !row) throw new Error(`no row "${command.row}" in suite "${command.suite}"`);
        const load = this.#load(suite, command.params);
        const start = performance.now();
        await row[command.do]?.(this.#subject(entrant, object), load);
        return { inside: performance.now() - start };
      }
      // What rg searches stays for the next round; all goes with the runtime's folder.
      case "empty":
        if (entrant !== "rg") this.#objects.delete(`${entrant}-${object}`);
        return {};
      case "nothing":
      case "restart":
        return {};
      case "fill":
      case "count":
        throw new Error("a native contender has no statements to count");
      default:
        return command satisfies never;
    }
  }

  /** rg only reads: the same for every round of a group; the warm-up has files of its own. */
  #subject(entrant: string, object: string): FsSubject {
    const name = `${entrant}-${entrant === "rg" ? object.replace(/^round-\d+/, () => "rounds") : object}`;
    const subject = this.#objects.get(name) ?? subjects[entrant]?.(join(this.folder, name));
    if (subject === undefined) throw new Error(`no native contender "${entrant}"`);
    this.#objects.set(name, subject);
    return subject;
  }

  #load(suite: Suite, params: Params): unknown {
    const key = `${suite.name} ${JSON.stringify(params)}`;
    if (!this.#loads.has(key)) {
      this.#loads.clear();
      this.#loads.set(key, suite.load(params));
    }
    return this.#loads.get(key);
  }
}
