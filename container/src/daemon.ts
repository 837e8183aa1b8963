/** What the daemon is made of, for its server and its sessions. */
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
  /** Null: the first hello brings it. Only for a container, which nothing but its workspace can connect to. */
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
  /** The session that said hello last. Only it may sync: what an earlier one sent may still arrive, and is out of date. */
  activeSession: object | null = null;
  /** Syncing is one thing at a time, in the order in which it was asked for, though some of it waits. */
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
