/** File steps with `node:fs`. */
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileStep, ROOT } from "./scenario.ts";

export function playFileStepOnDisk(root: string, step: FileStep): void {
  const parents = (path: string) => mkdirSync(dirname(join(root, path)), { recursive: true });
  if ("write" in step) {
    for (const [path, content] of Object.entries(step.write)) {
      parents(path);
      writeFileSync(join(root, path), withRoot(content, root));
    }
  } else if ("append" in step) {
    for (const [path, content] of Object.entries(step.append)) appendFileSync(join(root, path), content);
  } else if ("remove" in step) rmSync(join(root, step.remove), { recursive: true });
  else if ("mkdir" in step) mkdirSync(join(root, step.mkdir), { recursive: true });
  else if ("chmod" in step) chmodSync(join(root, step.chmod[0]), step.chmod[1]);
  else if ("symlink" in step) {
    parents(step.symlink[0]);
    symlinkSync(step.symlink[1], join(root, step.symlink[0]));
  } else {
    parents(step.rename[1]);
    renameSync(join(root, step.rename[0]), join(root, step.rename[1]));
  }
}

function withRoot(content: string | Uint8Array, root: string): string | Uint8Array {
  return typeof content === "string" ? content.replaceAll(ROOT, () => root) : content;
}
