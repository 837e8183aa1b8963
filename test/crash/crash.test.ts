/** CRASH_SEED repeats a run, CRASH_ROUNDS sets its length. */
import { expect, it } from "vitest";
import { runCrashRounds } from "./run-crash-rounds.ts";

const ROUNDS = 50;

it("FileSystem keeps every acknowledged write, and no partial one, when workerd is killed", {
  timeout: 1_800_000,
}, async () => {
  const { CRASH_SEED = 20_261_116, CRASH_ROUNDS = ROUNDS } = process.env;
  const seed = Number(CRASH_SEED);
  const rounds = Number(CRASH_ROUNDS);
  console.log(`crash: ${rounds} kills, CRASH_SEED=${seed}`);
  const result = await runCrashRounds({ rounds, seed, log: console.log });
  console.log(`crash: ${JSON.stringify(result)}`);
  expect(result.rounds).toBe(rounds);
  // A load that never got going would prove nothing.
  expect(result.acknowledged).toBeGreaterThan(rounds * 10);
  expect(result.applied + result.undone).toBeGreaterThan(rounds);
});
