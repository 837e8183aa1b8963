/** The whole of `npm run bench`: read the flags, start one workerd, measure, tell, keep, judge. Returns the exit code. */
import { join } from "node:path";
import { type Entrant, OURS, participants, takesPart } from "../participants.ts";
import type { Params, Suite } from "../suite.ts";
import { suites } from "../suites/index.ts";
import { serverSuites } from "../suites/servers.ts";
import { BenchError } from "./bench-error.ts";
import { crash } from "./crash.ts";
import { type Flags, parseFlags, usage } from "./flags.ts";
import { gitRepositories } from "./git/git-repositories.ts";
import { type GitServer, startGitServer } from "./git/git-server.ts";
import { missedBudgets, missedGoals } from "./goals.ts";
import { installPeers, peerVersion } from "./install-peers.ts";
import { keepResults, type SuiteRun } from "./keep-results.ts";
import { measureCounts } from "./measure-counts.ts";
import { measureTimes } from "./measure-times.ts";
import { countsTable, timesTable } from "./report.ts";
import { runServerSuite } from "./run-server-suite.ts";
import { Runtime } from "./runtime.ts";

export async function main(argv: readonly string[], bench: string): Promise<number> {
  try {
    const today = new Date().toLocaleDateString("sv-SE");
    const flags = parseFlags(argv, today);
    if (flags.help) {
      console.log(usage());
      return 0;
    }
    if (flags.crash > 0) {
      await crash(bench, flags.crash, flags.seed, today);
      return 0;
    }
    const server = serverSuites.find((suite) => suite.name === flags.suite);
    if (server !== undefined) {
      await runServerSuite(server, flags, bench, today);
      return 0;
    }
    const missed = await run(flags, bench, today);
    const everything = flags.suite === undefined && flags.only === undefined && !flags.counts;
    if (everything) for (const suite of serverSuites) await runServerSuite(suite, flags, bench, today);
    for (const miss of missed) console.error(`MISSED  ${miss}`);
    if (flags.check && missed.length === 0) console.error("Every goal and budget is reached.");
    return flags.check && missed.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    console.error(`bench: ${error.message}`);
    return 1;
  }
}

async function run(flags: Flags, bench: string, today: string): Promise<string[]> {
  const entrants = chooseEntrants(flags);
  if (flags.check && !entrants.some((entrant) => entrant.id === OURS))
    throw new BenchError("--check judges ours: add it to --only");
  const chosen = chooseSuites(flags).filter((suite) => !flags.counts || suite.counts.length > 0);
  const peers = join(bench, "peers");
  if (entrants.some((entrant) => entrant.peer)) installPeers(peers);
  const modules = join(bench, "..", "..", "node_modules");
  await using runtime = await Runtime.start(bench, join(modules, ".bin", "workerd"), entrants);
  const versions = {
    workerd: peerVersion(join(modules, ".."), "workerd"),
    ...Object.fromEntries(entrants.flatMap(({ id, peer }) => (peer ? [[id, peerVersion(peers, peer)]] : []))),
  };
  const missed: string[] = [];
  for (const suite of chosen) {
    const present = entrants.filter((entrant) => takesPart(entrant, suite.name));
    const done = await runSuite(runtime, suite, present, flags);
    missed.push(...done.missed);
    report(
      { ...done, suite, entrants: present, date: today, params: paramsOf(flags), rounds: flags.rounds, versions },
      flags,
      bench,
    );
  }
  return missed;
}

async function runSuite(runtime: Runtime, suite: Suite, entrants: readonly Entrant[], flags: Flags) {
  const progress = (text: string) => console.error(`${suite.name}: ${text}`);
  await using server = suite.needsGitServer ? await serveRepositories(flags.seed, progress) : null;
  const params = { ...paramsOf(flags), ...(server === null ? {} : { gitOrigin: server.origin }) };
  if (suite.counts.length > 0) progress("counting");
  const counted = entrants.filter((entrant) => entrant.id === OURS || entrant.peer);
  const counts = await measureCounts(runtime, suite, counted, params);
  const missed = missedBudgets(suite, counts);
  if (flags.counts) return { counts, timings: new Map(), missed };
  const timings = await measureTimes(runtime, { suite, entrants, params, rounds: flags.rounds, progress });
  return { counts, timings, missed: [...missed, ...missedGoals(suite, entrants, timings)] };
}

async function serveRepositories(seed: number, progress: (text: string) => void): Promise<GitServer> {
  progress("making repositories");
  const cache = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache");
  return startGitServer(await gitRepositories(cache, seed));
}

function report(run: SuiteRun, flags: Flags, bench: string): void {
  const text = render(run, flags);
  console.log(text);
  if (flags.counts) return;
  if (flags.standard) {
    console.error(`Saved as test/bench/results/${keepResults(join(bench, "results"), run, text)}.md and .json`);
  } else {
    console.error("Not saved: results/ holds runs of the standard shape only.");
  }
}

function render({ suite, entrants, date, params, rounds, versions, timings, counts }: SuiteRun, flags: Flags): string {
  const { files, size, largeBytes, seed } = params;
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const shape = `${files} files of ${size} bytes on average, a large file of ${largeBytes / 1024 / 1024} MiB, seed ${seed}`;
  const heading = `# ${suite.title}\n\n${date}. ${shape}. ${names.join(", ")}.\n`;
  const costs = `## Cost of single operations\n\n${countsTable(suite, entrants, counts)}`;
  if (flags.counts) return `${heading}\n${costs}`;
  const fewer = suite.fewerRounds ? ", fewer for contenders that would take minutes" : "";
  return `${heading}
## Times

Median of ${rounds} interleaved rounds${fewer}, in one workerd, until what was written is on disk. “A ÷ ours” is how many times faster ours is.

${timesTable(suite, entrants, timings)}
${suite.counts.length === 0 ? "" : costs}`;
}

function paramsOf({ seed, files, size, largeBytes }: Flags): Params {
  return { seed, files, size, largeBytes };
}

function chooseEntrants(flags: Flags): readonly Entrant[] {
  if (flags.counts) return participants.filter((entrant) => entrant.id === OURS);
  if (!flags.only) return participants;
  const unknown = flags.only.filter((id) => !participants.some((entrant) => entrant.id === id));
  if (unknown.length > 0)
    throw new BenchError(
      `no contender "${unknown[0]}"; there are ${participants.map((entrant) => entrant.id).join(", ")}`,
    );
  return participants.filter((entrant) => flags.only?.includes(entrant.id));
}

function chooseSuites(flags: Flags): readonly Suite[] {
  if (!flags.suite) return suites;
  const suite = suites.find((candidate) => candidate.name === flags.suite);
  if (!suite)
    throw new BenchError(
      `no suite "${flags.suite}"; there are ${[...suites, ...serverSuites].map((candidate) => candidate.name).join(", ")}`,
    );
  return [suite];
}
