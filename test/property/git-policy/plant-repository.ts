/** A repository of the model beside planted secrets: an outer repository with a secret, and links and files that lead to it. */
import type { Workspace } from "@cloudflare/workspace";
import { expect } from "vitest";

export const SECRET = "PLANTED7SECRET";
export const W = "/workspace";
export const INNER = `${W}/inner`;
/** Must never run. */
export const COMMAND = `cat ${W}/.env; echo x > ${INNER}/pwned`;
const PRISTINE = "/pristine";

export interface Planted {
  /** Of the outer repository: a commit and the blob with the secret. */
  commit: string;
  blob: string;
  /** Of the model's repository. */
  own: string;
}

export async function plantRepository(ws: Workspace): Promise<Planted> {
  await ws.fs.writeMany([
    { path: `${W}/.env`, content: `API=${SECRET}\n` },
    { path: `${W}/outer.ini`, content: `[user]\n\tname = ${SECRET}\n[alias]\n\tq = !${COMMAND}\n` },
    { path: `${INNER}/b.txt`, content: "two\n" },
    { path: `${INNER}/.gitattributes`, content: "*.txt filter=f merge=f diff=f\n" },
    { path: `${INNER}/gitfile/.git`, content: `gitdir: ${W}/.git\n` },
  ]);
  await ws.fs.writeMany([
    { path: `${INNER}/out`, type: "symlink", target: "../.env" },
    { path: `${INNER}/up`, type: "symlink", target: W },
  ]);
  await git(ws, W, "init", "-q", "-b", "main");
  await git(ws, W, "add", ".env", "outer.ini");
  await git(ws, W, "commit", "-qm", `outer ${SECRET}`);
  await git(ws, INNER, "init", "-q", "-b", "main");
  await git(ws, INNER, "add", "b.txt");
  await git(ws, INNER, "commit", "-qm", "own");
  await git(ws, INNER, "checkout", "-q", "-b", "side");
  await ws.fs.writeFile(`${INNER}/c.txt`, "three\n");
  await git(ws, INNER, "add", "c.txt");
  await git(ws, INNER, "commit", "-qm", "side");
  await git(ws, INNER, "checkout", "-q", "main");
  await ws.fs.cp(INNER, PRISTINE, { recursive: true, verbatimSymlinks: true });
  return {
    commit: await git(ws, W, "rev-parse", "HEAD"),
    blob: await git(ws, W, "rev-parse", "HEAD:.env"),
    own: await git(ws, INNER, "rev-parse", "HEAD"),
  };
}

/** The model's repository as it was planted, whatever was done to it. */
export async function restoreRepository(ws: Workspace): Promise<void> {
  await ws.fs.rm(INNER, { recursive: true, force: true });
  await ws.fs.cp(PRISTINE, INNER, { recursive: true, verbatimSymlinks: true });
}

/** Whether the model's repository holds an object by itself: by then it could read the file that holds it. */
export async function holdsObject(ws: Workspace, oid: string): Promise<boolean> {
  const borrowed = ["alternates", "http-alternates"].map((name) => `${INNER}/.git/objects/info/${name}`);
  for (const path of [...borrowed, `${INNER}/.git/commondir`]) await ws.fs.rm(path, { force: true }).catch(() => {});
  const { exitCode } = await ws.git.cli({ argv: ["--git-dir", `${INNER}/.git`, "cat-file", "-e", oid], cwd: "/" });
  return exitCode === 0;
}

async function git(ws: Workspace, cwd: string, ...argv: string[]): Promise<string> {
  const { exitCode, stdout } = await ws.git.cli({ argv, cwd });
  expect([argv, exitCode]).toEqual([argv, 0]);
  return new TextDecoder().decode(stdout).trim();
}
