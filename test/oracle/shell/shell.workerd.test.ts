/** The Worker's shell beside the real bash and the real grep: the same files, the same script, the same output and exit code. */
import { env } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";
import { inObject } from "../../support/workerd/in-object.ts";
import { agentScripts } from "./agent-scripts.ts";
import { bashScripts } from "./bash-scripts.ts";
import { shellDifferences } from "./differences.ts";
import { files } from "./files.ts";
import { failingGreps, grepScripts } from "./grep-scripts.ts";
import { longerScripts } from "./longer-scripts.ts";
import type { ShellAnswer } from "./question.ts";
import { rgScripts } from "./rg-scripts.ts";

const latin1 = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
const bytesOf = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));

async function runReal(scripts: readonly string[]): Promise<ShellAnswer[]> {
  const body = JSON.stringify({ files, scripts });
  const response = await env.REAL_BASH.fetch("http://real-bash", { method: "POST", body });
  return (await response.json()) as ShellAnswer[];
}

/** All in one object, each on files of its own. */
function runOurs(scripts: readonly string[]): Promise<ShellAnswer[]> {
  return inObject(async ({ storage }) => {
    const ws = new Workspace({ storage });
    const answers: ShellAnswer[] = [];
    for (const script of scripts) {
      for (const name of await ws.fs.readdir("/workspace")) await ws.fs.rm(`/workspace/${name}`, { recursive: true });
      await ws.fs.writeMany(
        Object.entries(files).map(([path, content]) => ({ path: `/workspace/${path}`, content: bytesOf(content) })),
      );
      const { exitCode, stdout, stderr } = await (await ws.shell.exec(script, { timeoutMs: 20_000 })).result();
      const text = latin1(stdout).replaceAll("/workspace", () => "ROOT");
      answers.push({ exitCode: exitCode ?? -1, stdout: btoa(text), stderr: new TextDecoder().decode(stderr) });
    }
    return answers;
  });
}

async function differ(scripts: readonly string[], shape: (answer: ShellAnswer) => unknown): Promise<string[]> {
  const [real, own] = await Promise.all([runReal(scripts), runOurs(scripts)]);
  const wrong: string[] = [];
  for (const [i, script] of scripts.entries()) {
    const [ours, theirs] = [shape(own[i] as ShellAnswer), shape(real[i] as ShellAnswer)];
    if (JSON.stringify(ours) !== JSON.stringify(theirs))
      wrong.push(`${script}\n  ours: ${JSON.stringify(ours)}\n  real: ${JSON.stringify(theirs)}`);
  }
  return wrong;
}

const output = ({ exitCode, stdout }: ShellAnswer) => [exitCode, atob(stdout)];

describe("the Worker's shell", () => {
  it("grep answers as GNU grep: output, errors and exit codes", async () => {
    const shape = (answer: ShellAnswer) => [...output(answer), answer.stderr];
    expect((await differ(grepScripts, shape)).join("\n")).toBe("");
  });

  it("grep fails where GNU grep fails", async () => {
    expect((await differ(failingGreps, output)).join("\n")).toBe("");
  });

  it("rg answers as ripgrep, on files and in a pipe", async () => {
    expect((await differ(rgScripts, output)).join("\n")).toBe("");
  });

  it("scripts do what they do in bash", async () => {
    expect((await differ(bashScripts, output)).join("\n")).toBe("");
  });

  it("commands that agents type do what they do in bash", async () => {
    expect((await differ(agentScripts, output)).join("\n")).toBe("");
  });

  it("longer scripts of agents do what they do in bash", async () => {
    expect((await differ(longerScripts, output)).join("\n")).toBe("");
  });

  it("the Worker's shell differs from bash exactly as listed in differences.ts", async () => {
    const scripts = shellDifferences.map(({ script }) => script);
    const [real, own] = [await runReal(scripts), await runOurs(scripts)];
    for (const [i, { script, ours, bash }] of shellDifferences.entries()) {
      expect([script, ...output(real[i] as ShellAnswer)]).toEqual([script, ...bash]);
      expect([script, ...output(own[i] as ShellAnswer)]).toEqual([script, ...ours]);
    }
  });
});
