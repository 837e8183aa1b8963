/**
 * git over RPC: the command line with its output as bytes, and the methods with plain values. Output is inside the message, or one
 * stream (stdout, then stderr) when it is large.
 */
import type { Git } from "@workspace/git";
import { ownBytes, RPC_LIMITS, type WireGitResult, type WorkspaceAnswer } from "@workspace/protocol";
import { GIT_METHODS } from "../git/git-methods.ts";
import {
  type ArgumentCheck,
  bytes,
  either,
  fields,
  list,
  oneOf,
  optional,
  path,
  plainObject,
  reject,
  stream,
  text,
} from "./arguments.ts";
import type { CallContext } from "./call-context.ts";
import { answerBytes, chunksOf, toReadableStream } from "./encode-reply.ts";
import { verbDefiner } from "./verb.ts";

const verb = verbDefiner<CallContext>();

const environment: ArgumentCheck<Record<string, string>> = (value, name) => {
  const entries = Object.entries(plainObject(value, name));
  if (entries.length > RPC_LIMITS.patternItems) return reject(name, `at most ${RPC_LIMITS.patternItems} variables`);
  return Object.fromEntries(entries.map(([key, found]) => [key, text(found, `${name}.${key}`)]));
};

const call = fields({
  argv: list(text, RPC_LIMITS.listItems),
  cwd: optional(path),
  env: optional(environment),
  stdin: optional(either(text, either(bytes, stream))),
});

export const gitCli = verb([call], async ({ git }, requested): Promise<WorkspaceAnswer> => {
  const { exitCode, stdout, stderr } = await git.cli(requested);
  const sizes: WireGitResult = { exitCode, stdoutSize: stdout.length, stderrSize: stderr.length };
  if (stdout.length + stderr.length <= RPC_LIMITS.inlineBytes) {
    return { value: { ...sizes, stdout: ownBytes(stdout), stderr: ownBytes(stderr) } };
  }
  return { value: sizes, stream: toReadableStream(chunksOfBoth(stdout, stderr)) };
});

function* chunksOfBoth(first: Uint8Array, second: Uint8Array): Generator<Uint8Array> {
  yield* chunksOf(first);
  yield* chunksOf(second);
}

/** The engine itself checks the options of the methods; this only checks that they are plain data. */
const plain: ArgumentCheck<Record<string, unknown>> = (value, name) => plainObject(value, name);
const method = oneOf(...GIT_METHODS.filter((name) => name !== "cli"));

export const gitCall = verb([method, optional(plain)], async ({ git }, name, options): Promise<WorkspaceAnswer> => {
  const run = git[name as keyof Git] as (options?: unknown) => Promise<unknown>;
  const value = await run(options);
  return value instanceof Uint8Array ? answerBytes(value) : { value };
});
