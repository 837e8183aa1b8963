/**
 * The search engine in the container: ripgrep on the synced tree, started with an argv, read as it prints, killed when no more hits
 * are wanted. If this engine was requested by name, the tree is synced first. Files that only the container has are not hits.
 */
import type { ExecExit, GrepQuery } from "@workspace/protocol";
import {
  createFileSystem,
  createLocalEngine,
  type ExternalSearchEngine,
  FsError,
  lookupPath,
  type MatchSink,
  type SearchOutcome,
  type WriteView,
} from "@workspace/vfs";
import { readPolicy, type SyncOptions } from "../sync/policy.ts";
import { SyncReportBuilder } from "../sync/sync-report-builder.ts";
import { SyncTree } from "../sync/sync-tree.ts";
import type { Syncer } from "../sync/syncer.ts";
import type { ContainerClient } from "./container-client.ts";
import { EventBuffer, processEvents } from "./process-events.ts";
import { rgArgv } from "./rg-argv.ts";
import { RgMessageParser } from "./rg-message-parser.ts";

export interface GrepHost {
  volume: WriteView;
  link: ContainerClient;
  syncer: Syncer;
  options: SyncOptions;
}

const MAX_COMPLAINT = 4000;
/** The exit code of a Rust program that panicked. */
const PANIC = 101;

/** `rg --json` joins lines that one match spans, and `rg --count` does not: the messages do not contain its count. */
function countsAcrossLines({ mode, multiline }: GrepQuery): boolean {
  return mode === "count" && multiline;
}

export function createContainerEngine(host: GrepHost): ExternalSearchEngine {
  const view = () => new SyncTree(createFileSystem(host.volume), host.volume.ensureOpen().root);
  return {
    name: "container",
    canAnswer: (query) =>
      host.syncer.isCurrent(host.link.present) &&
      query.cursor === null &&
      !countsAcrossLines(query) &&
      query.paths.length === 1 &&
      view().relative(query.paths[0] as string) !== null,
    search: (query, sink, signal) => search(host, view(), query, sink, signal),
  };
}

async function search(
  host: GrepHost,
  view: SyncTree,
  query: GrepQuery,
  sink: MatchSink,
  signal?: AbortSignal,
): Promise<SearchOutcome> {
  const { link, syncer, volume } = host;
  // As ripgrep: no hits are wanted, so nothing is searched. The local engine still validates the query.
  if (query.maxPerFile === 0) return createLocalEngine(volume).search(query, sink, signal);
  if (countsAcrossLines(query))
    throw new FsError("ENOSYS", { syscall: "grep", reason: "only the local engine counts matches across lines" });
  const place = await searchTarget(view, query);
  if (signal?.aborted) throw aborted(signal);
  using _held = link.lease();
  if (!syncer.isCurrent(link.present)) await syncer.push(new SyncReportBuilder());
  const policy = await readPolicy(view.fs, volume.root, host.options);
  const isHere = (path: string) =>
    !policy.isContainerOnly(path, false) && (lookupPath(volume, view.absolute(path))?.stat ?? null) !== null;
  const messages = new RgMessageParser({
    sink,
    query,
    named: place.named,
    pathOf(shown) {
      const below = shown.replace(/^\.\//, () => "");
      const path = join(place.directory, below);
      if (shown === "" || (policy.mayBeOnlyThere(path) && !isHere(path))) return null;
      return place.named ? place.given : join(place.given === "/" ? "" : place.given, below);
    },
  });
  const { complaint, exit } = await run(host, query, place, messages, sink, signal);
  if (!messages.complete && !messages.stopped) throw incomplete(query, complaint, exit);
  return { truncatedBy: null, stoppedAt: null, stats: messages.stats };
}

/** ripgrep exits with 2 for an invalid query. Any other exit without a result says nothing about the query. */
function incomplete({ paths }: GrepQuery, complaint: string, exit: ExecExit | null): FsError {
  const fields = { syscall: "grep", path: paths[0] };
  if (exit?.state === "exited" && exit.exitCode === 2 && complaint !== "")
    return new FsError("EINVAL", { ...fields, reason: complaint });
  // It would crash again with the same query.
  if (exit?.state === "exited" && exit.exitCode === PANIC)
    return new FsError("ENOSYS", {
      ...fields,
      reason: `ripgrep crashed (${complaint.trim()}); ask with engine "local"`,
    });
  const how = exit === null ? "" : ` (${exit.signal ?? exit.reason ?? `${exit.state} with ${exit.exitCode}`})`;
  const reported = complaint === "" ? "" : `: ${complaint.trim()}`;
  const reason = `ripgrep in the container ended before it had answered${how}${reported}; try again, or with engine "local"`;
  return new FsError("EAGAIN", { ...fields, reason });
}

function join(directory: string, name: string): string {
  return directory === "" && !name.startsWith("/") ? name : `${directory}/${name}`;
}

interface SearchTarget {
  /** As given, with symlinks: hits are named by it. */
  given: string;
  /** Where ripgrep runs, relative to the root: the base of globs. */
  directory: string;
  target: string;
  named: boolean;
  inRepository: boolean;
}

async function searchTarget(view: SyncTree, { paths }: GrepQuery): Promise<SearchTarget> {
  const [given] = paths as [string];
  const stat = await view.fs.stat(given);
  const path = view.relative(await view.fs.realpath(given));
  if (path === null || paths.length !== 1)
    throw new FsError("EINVAL", {
      syscall: "grep",
      path: given,
      reason: "the container has only what is below the root",
    });
  const inRepository = await hasRepository(view, path);
  const shown = given.length > 1 ? given.replace(/(?<!\/)\/+$/, () => "") : given;
  if (stat.type === "dir") return { given: shown, directory: path, target: "./", named: false, inRepository };
  const slash = path.lastIndexOf("/");
  return {
    given: shown,
    directory: path.slice(0, Math.max(0, slash)),
    target: `./${path.slice(slash + 1)}`,
    named: true,
    inRepository,
  };
}

async function hasRepository(view: SyncTree, path: string): Promise<boolean> {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    if ((await view.lookup(at === "" ? ".git" : `${at}/.git`)) !== null) return true;
    if (at === "") return false;
  }
}

/** Returns ripgrep's error output and exit; null: the exit was not awaited. */
async function run(
  { link }: GrepHost,
  query: GrepQuery,
  place: SearchTarget,
  messages: RgMessageParser,
  sink: MatchSink,
  signal?: AbortSignal,
): Promise<{ complaint: string; exit: ExecExit | null }> {
  const connection = await link.connect();
  const id = `grep-${crypto.randomUUID()}`;
  const inbox = new EventBuffer(0);
  inbox.listen(connection, id);
  const argv = rgArgv(query, place);
  await connection.ask("exec", { process: id, command: argv, cwd: place.directory, env: {}, timeoutMs: 0 });
  const kill = () => connection.notify("kill", { process: id, signal: "SIGKILL" });
  signal?.addEventListener("abort", kill);
  const { instance } = connection.hello;
  let complaint = "";
  let exit: ExecExit | null = null;
  try {
    for await (const news of processEvents({ id, connection, instance, reconnect: () => link.connect() }, inbox, 0)) {
      if (news.name === "exit") {
        exit = news.value;
        break;
      }
      if (signal?.aborted) break;
      if (news.name === "stderr")
        complaint = (complaint + new TextDecoder().decode(news.value)).slice(0, MAX_COMPLAINT);
      else messages.push(news.value);
      if (messages.stopped) break;
      const pause = sink.pause?.();
      if (pause !== undefined) await pause;
    }
  } finally {
    signal?.removeEventListener("abort", kill);
    if (!messages.complete) kill();
  }
  if (signal?.aborted) throw aborted(signal);
  return { complaint, exit };
}

function aborted(signal: AbortSignal): FsError {
  return new FsError("ABORT_ERR", { syscall: "grep", cause: signal.reason });
}
