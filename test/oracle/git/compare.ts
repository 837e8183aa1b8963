/** Describes where two recordings of a scenario differ; null if they are equal. */
import { gitStep, isGitStep, type Recording, type Scenario, type StepOutput } from "./scenario.ts";

export function compareRecordings(scenario: Scenario, real: Recording, ours: Recording): string | null {
  const reported: string[] = [];
  for (const [at, step] of scenario.steps.entries()) {
    if (!isGitStep(step)) continue;
    const difference = compareOutputs(scenario, at, real.outputs[at] as StepOutput, ours.outputs[at] as StepOutput);
    if (difference !== null) reported.push(difference);
  }
  for (const topic of new Set([...Object.keys(real.state), ...Object.keys(ours.state)])) {
    const [expected = "", actual = ""] = [real.state[topic], ours.state[topic]];
    if (expected !== actual)
      reported.push(`${scenario.name}: at the end, ${topic} differs\n${lineDiff(expected, actual)}`);
  }
  return reported.length === 0 ? null : reported.join("\n\n");
}

export function compareOutputs(
  scenario: Scenario,
  at: number,
  expected: StepOutput,
  actual: StepOutput,
): string | null {
  const step = gitStep(scenario.steps[at] as string);
  const wrong: string[] = [];
  if (expected.exitCode !== actual.exitCode)
    wrong.push(`exit code ${expected.exitCode} expected, ${actual.exitCode} given`);
  // Usage is made from our own tables: its first line and the exit code are git's.
  const cut = (text: string) => (expected.exitCode === 129 ? (text.split("\n", 1)[0] as string) : text);
  for (const stream of ["stdout", "stderr"] as const) {
    if (step.ignore?.includes(stream)) continue;
    const [wanted, input] = [cut(expected[stream]), cut(actual[stream])];
    if (wanted !== input) wrong.push(`${stream}:\n${lineDiff(wanted, input)}`);
  }
  if (wrong.length === 0) return null;
  return `${scenario.name}: step ${at}, git ${step.git.map(displayed).join(" ")}\n${wrong.join("\n")}`;
}

function displayed(argument: string): string {
  return /^[\w@%+=:,./^~{}<>-]+$/.test(argument) ? argument : JSON.stringify(argument);
}

/** The whole of both where they differ: common lines at both ends are cut to three. */
function lineDiff(expected: string, actual: string): string {
  const [a, b] = [expected.split("\n"), actual.split("\n")];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const mark = (lines: string[], sign: string) => lines.map((line) => `  ${sign}${line}`);
  return [
    ...mark(a.slice(Math.max(0, start - 3), start), " "),
    ...mark(a.slice(start, a.length - end), "-"),
    ...mark(b.slice(start, b.length - end), "+"),
    ...mark(a.slice(a.length - end, a.length - end + 3), " "),
  ].join("\n");
}
