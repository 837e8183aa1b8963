/**
 * Parses the source and target of `cp`, written as for scp: `:path` is in the current workspace, `name:path` in another one of the
 * same server, anything else is on this machine. A colon after a slash is part of a local name (`./a:b`).
 */
import { remotePath } from "../client/remote-path.ts";
import { parseWorkspace } from "../config/settings.ts";

export type TransferPath =
  | { readonly side: "local"; readonly path: string }
  | {
      readonly side: "remote";
      readonly workspace: string | null;
      readonly path: string;
      readonly endsInSlash: boolean;
    };

export function parseTransferPath(text: string): TransferPath {
  const match = /^([^/:]*):(.*)$/s.exec(text);
  if (match === null) return { side: "local", path: text };
  const [, name = "", path = ""] = match;
  return {
    side: "remote",
    workspace: name === "" ? null : parseWorkspace(name),
    path: remotePath(path),
    endsInSlash: path === "" || path.endsWith("/"),
  };
}
