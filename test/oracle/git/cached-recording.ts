/**
 * A cache of what real git did with a scenario, in node_modules/.cache: the same scenario is played on a disk, in an object and by an
 * executable, and real git need not do it three times. The key is all that it depends on: the steps, git's version, and the code that plays them.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Recording, Scenario } from "./scenario.ts";
import { toJson } from "./scenario-json.ts";

const folder = join(import.meta.dirname, "../../../node_modules/.cache/git-oracle");
const PLAYERS = ["file-steps-on-disk.ts", "real-git.ts", "scenario.ts", "inspect-repository.ts"];

let players: string | undefined;

function key(scenario: Scenario): string {
  players ??= [
    execFileSync("git", ["--version"], { encoding: "utf8" }),
    ...PLAYERS.map((name) => readFileSync(join(import.meta.dirname, name), "utf8")),
  ].join("\0");
  return createHash("sha256")
    .update(`${players}\0${toJson(scenario)}`)
    .digest("hex");
}

export async function cachedRecording(scenario: Scenario, play: () => Promise<Recording>): Promise<Recording> {
  const file = join(folder, `${key(scenario)}.json`);
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Recording;
  } catch {
    const recording = await play();
    mkdirSync(folder, { recursive: true });
    // By a rename: another process may be reading.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify(recording));
    renameSync(unfinished, file);
    return recording;
  }
}
