/**
 * V8 discards the code compiled for an object shape when it collects the last object of that shape. Between two calls all of them
 * are garbage, so after a full collection the next call would start in the interpreter. This file retains one object of each shape
 * that calls use; they belong to no files.
 */
import { PageBuilder } from "../format/page.ts";

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
    // A path, as `files/look.ts` and `files/path-resolver.ts` create it.
    { path: "", stat },
    { path: "", real: "", stat },
    // An entry of list and of find.
    { name: "", type, size: 0, modified },
    { path: "", type, size: 0, modified },
    // Valid arguments.
    { ok: true, input: { path: "" } },
  ];
}
