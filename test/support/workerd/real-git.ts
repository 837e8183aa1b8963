/**
 * Real git for tests in workerd: `POST Scenario` plays it and gives a `Recording`; `PUT { scenario, tree }` puts what ours made on
 * a disk and gives what real git sees there.
 */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspectRepository } from "../../oracle/git/inspect-repository.ts";
import type { SnapshotEntry } from "../../oracle/git/planted-tree.ts";
import { makePlaces, playRealGit } from "../../oracle/git/real-git.ts";
import type { Scenario } from "../../oracle/git/scenario.ts";
import { fromJson } from "../../oracle/git/scenario-json.ts";

export async function realGit(request: Request): Promise<Response> {
  const text = await request.text();
  if (request.method === "POST") return Response.json(await playRealGit(fromJson<Scenario>(text)));
  const { scenario, tree, root } = fromJson<{ scenario: Scenario; tree: SnapshotEntry[]; root: string }>(text);
  const places = makePlaces("ours");
  try {
    for (const planted of tree) plant(places.root, root, planted);
    return Response.json(await inspectRepository(scenario, { ...places, alias: root }));
  } finally {
    places.remove();
  }
}

/** Files that hold paths of the workspace are given those of the disk. */
const NAMING = /(^|\/)(\.git|gitdir|commondir|alternates|config)$/;

function plant(root: string, before: string, planted: SnapshotEntry): void {
  const path = join(root, planted.path);
  if (!path.startsWith(`${root}/`)) throw new Error(`not in the tree: ${planted.path}`);
  if ("directory" in planted) mkdirSync(path, { recursive: true });
  else if ("target" in planted) symlinkSync(planted.target, path);
  else {
    const { content } = planted;
    const names = NAMING.test(planted.path)
      ? Buffer.from(content)
          .toString()
          .replaceAll(before, () => root)
      : content;
    writeFileSync(path, names);
    chmodSync(path, planted.mode);
  }
}
