/**
 * V8 throws away what it has compiled for a shape of objects when it collects the last of them, and between two calls all of them go:
 * after a full collection the next call would begin in the interpreter. So one of each shape that calls are made of stays, of nobody's
 * files.
 */
import { PageBuilder } from "../text/page.ts";

let retained: unknown;

export function keepCallCode(): void {
  if (retained === undefined) retained = makeRetained();
}

function makeRetained(): unknown {
  const page = new PageBuilder<unknown>(1, 1000);
  page.add("", "");
  const [type, modified, version] = ["file", "", ""];
  const stat = { size: 0, mode: 0o644, mtime: 0.5, type, version, contentVersion: version };
  return [
    page,
    page.page(),
    // A path, as `files/look.ts` and `files/path-resolver.ts` make it.
    { path: "", stat },
    { path: "", real: "", stat },
    // An entry of list, of find.
    { name: "", type, size: 0, modified },
    { path: "", type, size: 0, modified },
    // Arguments that were right.
    { ok: true, input: { path: "" } },
  ];
}
