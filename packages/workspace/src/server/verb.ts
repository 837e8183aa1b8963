/** An RPC verb: the checks of its arguments and its implementation. `dispatch` runs a verb by name. */
import type { WorkspaceAnswer, WorkspaceReply } from "@workspace/protocol";
import { type ArgumentCheck, BadArgument, checkArguments, invalid } from "./arguments.ts";
import { toWireError } from "./wire-error.ts";

export interface Verb<Subject> {
  checks: readonly ArgumentCheck<unknown>[];
  run(subject: Subject, args: unknown[]): Promise<WorkspaceAnswer>;
}

type Checks<Args extends unknown[]> = { [K in keyof Args]: ArgumentCheck<Args[K]> };

/**
 * Returns a function that defines verbs on one kind of subject: a call context, a file handle, a directory. It infers a verb's
 * argument types from its checks.
 */
export function verbDefiner<Subject>() {
  return <Args extends unknown[]>(
    checks: readonly [...Checks<Args>],
    run: (subject: Subject, ...args: Args) => Promise<WorkspaceAnswer>,
  ): Verb<Subject> => ({
    checks: checks as readonly ArgumentCheck<unknown>[],
    run: (subject, args) => run(subject, ...(args as Args)),
  });
}

/**
 * Checks the arguments and runs the verb. Never rejects: an error is part of the reply. `verbs` is a Map, because an object also
 * has "constructor".
 */
export async function dispatch<Subject>(
  verbs: ReadonlyMap<string, Verb<Subject>>,
  name: unknown,
  args: unknown,
  subject: Subject,
): Promise<WorkspaceReply> {
  const found = typeof name === "string" ? verbs.get(name) : undefined;
  if (found === undefined) return { error: toWireError(invalid("call", "there is no such verb")) };
  try {
    return await found.run(subject, checkArguments(found.checks, args));
  } catch (error) {
    return { error: toWireError(error instanceof BadArgument ? invalid(name as string, error.message, args) : error) };
  }
}
