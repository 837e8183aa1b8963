/**
 * What the contract of `ExecBackend` runs on: a backend, and the files its commands see. What only one backend can do is listed in
 * `can`, and the contract says for both what happens then: nothing is skipped.
 */
import type { BackendProcess, ExecBackend, ExecRequest, ProcessEvent, ProcessExit } from "@workspace/shell";
import type { Change, FileSystem } from "@workspace/vfs";
import { it } from "vitest";

export interface ExecSubject {
  backend: ExecBackend;
  /** The workspace's files, as another client sees them. */
  fs: FileSystem;
  /** Absolute, empty, where commands run. */
  cwd: string;
  can: ExecAbilities;
  inside?<T>(body: () => Promise<T>): Promise<T>;
  after?(): Promise<void>;
}

export interface ExecAbilities {
  /** Standard input after the start. Without: `write` is EPIPE. */
  liveInput: boolean;
  /** Processes that go on behind the command. Without: `&` waits. */
  background: boolean;
  /** Handlers of signals in scripts. Without: a signal ends the command. */
  traps: boolean;
}

export type MakeExec = () => Promise<ExecSubject>;
export type ExecCheck = (subject: ExecSubject, run: Run) => Promise<void>;

export interface Ran {
  events: ProcessEvent[];
  stdout: string;
  stderr: string;
  exit: ProcessExit;
}

export type Run = (command: ExecRequest["command"], options?: Partial<ExecRequest>) => Promise<Ran>;

export function execTestsOn(make: MakeExec): (title: string, check: ExecCheck) => void {
  return (title, check) =>
    it(title, async () => {
      const subject = await make();
      const body = async () => {
        const run: Run = async (command, options) =>
          collect(await subject.backend.start(requestOf(subject, command, options)));
        await check(subject, run);
        await subject.after?.();
      };
      await (subject.inside ? subject.inside(body) : body());
    });
}

let created = 0;

export function requestOf(
  { cwd }: ExecSubject,
  command: ExecRequest["command"],
  options: Partial<ExecRequest> = {},
): ExecRequest {
  const id = options.id ?? `contract-${created++}`;
  return { id, command, cwd, env: {}, stdin: null, timeoutMs: 0, callId: `call-${id}`, ...options };
}

export async function collect(
  { events }: Pick<BackendProcess, "events">,
  onEvent: (event: ProcessEvent) => void = () => {},
): Promise<Ran> {
  const all: ProcessEvent[] = [];
  for await (const event of events) {
    all.push(event);
    onEvent(event);
  }
  const last = all.at(-1);
  if (last?.name !== "exit") throw new Error("the events ended without an exit");
  return { events: all, stdout: textOf(all, "stdout"), stderr: textOf(all, "stderr"), exit: last.value };
}

export function bytesOf(events: readonly ProcessEvent[], name: "stdout" | "stderr"): number[] {
  return events.flatMap((event) => (event.name === name ? [...event.value] : []));
}

function textOf(events: readonly ProcessEvent[], name: "stdout" | "stderr"): string {
  const decoder = new TextDecoder();
  const parts = events.map((event) => (event.name === name ? decoder.decode(event.value, { stream: true }) : ""));
  return parts.join("") + decoder.decode();
}

export async function changesBy(fs: FileSystem, callId: string): Promise<Change[]> {
  const { changes } = await fs.changes();
  return changes.filter((change) => change.callId?.split(",").includes(callId));
}
