/** The whole contract of `FileSystem`: what holds on `node:fs`, on our SQLite and over RPC alike. */
import { attributesContract } from "./attributes.ts";
import { callersBytesContract } from "./callers-bytes.ts";
import { cpContract } from "./cp.ts";
import { directoriesContract } from "./directories.ts";
import { errorsContract } from "./errors.ts";
import { handleCallsContract } from "./handle-calls.ts";
import { handlesContract } from "./handles.ts";
import { linksContract } from "./links.ts";
import { optionsContract } from "./options.ts";
import { pathsContract } from "./paths.ts";
import { readingContract } from "./reading.ts";
import { renameContract } from "./rename.ts";
import { rmContract } from "./rm.ts";
import { searchContract } from "./search.ts";
import { streamsContract } from "./streams.ts";
import type { Make } from "./subject.ts";
import { writingContract } from "./writing.ts";

export function fileSystemContract(make: Make): void {
  readingContract(make);
  writingContract(make);
  callersBytesContract(make);
  directoriesContract(make);
  linksContract(make);
  renameContract(make);
  rmContract(make);
  cpContract(make);
  attributesContract(make);
  handlesContract(make);
  handleCallsContract(make);
  optionsContract(make);
  streamsContract(make);
  pathsContract(make);
  errorsContract(make);
  searchContract(make);
}
