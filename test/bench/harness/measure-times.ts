/**
 * Times a suite's rows. In every round each row is done by all contenders in turn, in an order that rotates, so that the noise
 * of the machine hits all alike; the result is the median of the rounds. The clock is Node's, around one request, less the
 * empty request of the same object (a Worker's own clock ticks in whole milliseconds; it only confirms).
 */
import type { Entrant } from "../participants.ts";
import type { Params, Row, Suite } from "../suite.ts";
import { median } from "./median.ts";
import type { Runtime } from "./runtime.ts";

/** Milliseconds, or why there are none. */
export type Timing = { ms: number; rounds: number[] } | { cannot: string } | { failed: string };
/** Row id → contender id → timing. */
export type Timings = Map<string, Map<string, Timing>>;

/** Below what a request's own jitter can hide. */
const FLOOR_MS = 0.05;
const PINGS = 9;

export interface TimesRequest {
  suite: Suite;
  entrants: readonly Entrant[];
  params: Params;
  rounds: number;
  progress(text: string): void;
}

export async function measureTimes(runtime: Runtime, request: TimesRequest): Promise<Timings> {
  const samples = new Samples();
  await warmUp(runtime, request);
  for (let round = 0; round < request.rounds; round++) {
    const turn = round % request.entrants.length;
    const entrants = [...request.entrants.slice(turn), ...request.entrants.slice(0, turn)];
    request.progress(`round ${round + 1} of ${request.rounds}`);
    await playRound(runtime, { ...request, entrants }, { name: `round-${round}`, round }, samples);
  }
  return samples.timings(request.suite, request.entrants);
}

/** The same work in small, so that the first round does not pay for compiling. */
async function warmUp(runtime: Runtime, request: TimesRequest): Promise<void> {
  const params = { ...request.params, files: Math.min(200, request.params.files), largeBytes: 1024 * 1024 };
  request.progress("warming up");
  await playRound(runtime, { ...request, params }, { name: "warm-up", round: 0 }, new Samples());
}

async function playRound(
  runtime: Runtime,
  request: TimesRequest,
  { name, round }: { name: string; round: number },
  samples: Samples,
): Promise<void> {
  const { suite } = request;
  for (const group of new Set(suite.rows.map((row) => row.group))) {
    const max = suite.fewerRounds?.[group] ?? {};
    const entrants = request.entrants.filter(({ id }) => round < (max[id] ?? Number.POSITIVE_INFINITY));
    const object = `${name}-${group}`;
    for (const row of suite.rows.filter((candidate) => candidate.group === group)) {
      for (const entrant of entrants) {
        if (Object.hasOwn(entrant.cannot, row.id)) continue;
        samples.add(row, entrant, await timeRow(runtime, request, row, entrant, object));
      }
    }
    for (const entrant of entrants) await runtime.end(entrant, object, "empty");
  }
}

async function timeRow(
  runtime: Runtime,
  { suite, params }: TimesRequest,
  row: Row<unknown>,
  entrant: Entrant,
  object: string,
): Promise<number | string> {
  const command = { suite: suite.name, row: row.id, params };
  const prepared = await runtime.send(entrant, object, { do: "prepare", ...command });
  if (prepared.error) return prepared.error;
  const pings: number[] = [];
  for (let ping = 0; ping < PINGS; ping++) pings.push((await runtime.send(entrant, object, { do: "nothing" })).outside);
  const ran = await runtime.send(entrant, object, { do: "run", ...command });
  if (ran.error) return ran.error;
  const ms = Math.round(Math.max(FLOOR_MS, ran.outside - median(pings)) * 1000) / 1000;
  const inside = ran.inside as number;
  if (Math.abs(ms - inside) > 10 + inside * 0.25) {
    console.error(
      `${entrant.id}, ${row.label}: ${ms.toFixed(1)} ms by Node's clock, ${inside.toFixed(1)} ms by the Worker's`,
    );
  }
  const verified = await runtime.send(entrant, object, { do: "verify", ...command });
  return verified.error ?? ms;
}

class Samples {
  readonly #ms = new Map<string, number[]>();
  readonly #failures = new Map<string, string>();

  add(row: Row<unknown>, entrant: Entrant, result: number | string): void {
    const key = `${row.id} ${entrant.id}`;
    if (typeof result === "string") this.#failures.set(key, result);
    else this.#ms.set(key, [...(this.#ms.get(key) ?? []), result]);
  }

  timings(suite: Suite, entrants: readonly Entrant[]): Timings {
    const one = (row: Row<unknown>, entrant: Entrant): Timing => {
      const key = `${row.id} ${entrant.id}`;
      const cannot = entrant.cannot[row.id];
      if (cannot !== undefined) return { cannot };
      const failed = this.#failures.get(key);
      if (failed !== undefined) return { failed };
      const rounds = this.#ms.get(key) ?? [];
      return { ms: median(rounds), rounds };
    };
    return new Map(
      suite.rows.map((row) => [row.id, new Map(entrants.map((entrant) => [entrant.id, one(row, entrant)]))]),
    );
  }
}
