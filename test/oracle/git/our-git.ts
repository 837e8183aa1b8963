/** Our git on any file system: the engine itself, without a process around it. Runs in Node and in workerd. */
import { type GitHost, runCli } from "@workspace/git";
import type { FileSystem } from "@workspace/vfs";
import {
  argvOf,
  environment,
  type FileStep,
  type GitStep,
  gitStep,
  isGitStep,
  normalizeOutput,
  ROOT,
  type Scenario,
  type StepOutput,
  stdinOf,
  timeOfStep,
} from "./scenario.ts";

export interface OurPlaces {
  fs: FileSystem;
  root: string;
  home: string;
}

/** Runs one command line; default: the engine itself. */
export type RunOurs = (host: GitHost, call: Parameters<typeof runCli>[1]) => ReturnType<typeof runCli>;

export async function playOurGit(
  scenario: Scenario,
  positions: OurPlaces,
  run: RunOurs = runCli,
): Promise<(StepOutput | null)[]> {
  const outputs: (StepOutput | null)[] = [];
  for (const [at, step] of scenario.steps.entries()) {
    if (isGitStep(step)) outputs.push(await runOurGit(scenario, gitStep(step), at, positions, run));
    else {
      await playFileStep(positions, step);
      outputs.push(null);
    }
  }
  return outputs;
}

export async function runOurGit(
  scenario: Scenario,
  step: GitStep,
  at: number,
  positions: OurPlaces,
  run: RunOurs = runCli,
): Promise<StepOutput> {
  const { fs, root } = positions;
  const { exitCode, stdout, stderr } = await run(
    { fs, now: () => timeOfStep(at) * 1000 },
    {
      argv: argvOf(step, root),
      cwd: step.cwd === undefined || step.cwd === "" ? root : `${root}/${step.cwd}`,
      env: environment(scenario, step, at, positions),
      stdin: stdinOf(step, root),
    },
  );
  return { exitCode, stdout: normalizeOutput(stdout, positions), stderr: normalizeOutput(stderr, positions) };
}

async function playFileStep({ fs, root }: OurPlaces, step: FileStep): Promise<void> {
  const at = (path: string) => `${root}/${path}`;
  const parents = (path: string) => fs.mkdir(at(path).slice(0, at(path).lastIndexOf("/")), { recursive: true });
  if ("write" in step) {
    for (const [path, content] of Object.entries(step.write)) {
      await parents(path);
      await fs.writeFile(at(path), typeof content === "string" ? content.replaceAll(ROOT, () => root) : content);
    }
  } else if ("append" in step) {
    for (const [path, content] of Object.entries(step.append)) await fs.appendFile(at(path), content);
  } else if ("remove" in step) await fs.rm(at(step.remove), { recursive: true });
  else if ("mkdir" in step) await fs.mkdir(at(step.mkdir), { recursive: true });
  else if ("chmod" in step) await fs.chmod(at(step.chmod[0]), step.chmod[1]);
  else if ("symlink" in step) {
    await parents(step.symlink[0]);
    await fs.symlink(step.symlink[1], at(step.symlink[0]));
  } else {
    await parents(step.rename[1]);
    await fs.rename(at(step.rename[0]), at(step.rename[1]));
  }
}
