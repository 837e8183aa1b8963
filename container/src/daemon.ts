/** The daemon's state, shared by its server and its sessions. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { ProcessTable } from "./exec/process-table.ts";
import type { Owner } from "./jail/owner.ts";
import { Secret } from "./secret.ts";
import { PartialUploads } from "./tree/partial-uploads.ts";
import type { Scan } from "./tree/scan.ts";
import { clearRoot, Tree } from "./tree/tree.ts";

export interface DaemonOptions {
  root: string;
  owner: Owner | null;
  home: string;
  user: string;
  /** Null: the first hello sets it. Only for a container, which accepts connections from its workspace alone. */
  secret: string | null;
}

export class Daemon {
  readonly instance = randomUUID();
  readonly secret: Secret;
  readonly processes: ProcessTable;
  readonly tree: Tree;
  readonly staged: PartialUploads;
  readonly options: DaemonOptions;
  readonly shell: string;
  /** Where an earlier tree was moved to. */
  readonly previousTreePath: string | undefined;
  scan: Scan | null = null;
  /**
   * The session that sent the latest hello. Only it may sync: messages of an earlier session may still arrive and are
   * stale.
   */
  activeSession: object | null = null;
  /** Sync operations run one at a time, in request order, although some of them await. */
  syncQueue: Promise<unknown> = Promise.resolve();

  constructor(options: DaemonOptions) {
    this.options = options;
    this.secret = new Secret(options.secret);
    this.processes = new ProcessTable(options.owner);
    this.previousTreePath = clearRoot(options.root);
    this.tree = new Tree(options.root, options.owner);
    this.staged = new PartialUploads(this.tree);
    this.shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  }

  close(): void {
    this.processes.killAll();
    this.tree.close();
  }
}
