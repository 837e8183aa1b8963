/**
 * The executions of a restricted view, and their output files. They are those that its actor started, or an actor below it
 * (`actor/…`), under policies that hide at least as much: what a wider view printed may contain what this one must not see. A view
 * without an actor has the executions of restricted views without one.
 */
import { PRIVATE_DIRECTORY } from "@workspace/protocol";
import type { ExecutionOwner, ExecutionView } from "@workspace/shell";
import type { PathPolicy, PrivateFiles, ReadView, VolumeStore } from "@workspace/vfs";

export class OwnExecutions implements ExecutionView, PrivateFiles {
  readonly #volume: VolumeStore;
  readonly #actor: string | undefined;
  readonly #restrictions: readonly PathPolicy[];
  #policies: readonly string[] | undefined;

  /** `volume`: any view of the workspace; `restrictions`: all that make up this view, which has checked them before it is used. */
  constructor(volume: ReadView, actor: string | undefined, restrictions: readonly PathPolicy[]) {
    this.#volume = volume.store;
    this.#actor = actor;
    this.#restrictions = restrictions;
  }

  /** The same view for another actor. */
  as(actor: string | undefined): OwnExecutions {
    return actor === this.#actor ? this : new OwnExecutions(this.#volume, actor, this.#restrictions);
  }

  restrict(policy: PathPolicy): OwnExecutions {
    return new OwnExecutions(this.#volume, this.#actor, [...this.#restrictions, policy]);
  }

  /** Only what a policy hides counts: two views that differ in what they may change see the same. */
  get policies(): readonly string[] {
    return (this.#policies ??= this.#restrictions.flatMap(({ root, deny = [] }) =>
      root === undefined && deny.length === 0 ? [] : JSON.stringify({ root, deny: [...deny].sort() }),
    ));
  }

  get key(): string {
    return this.#actor ?? "";
  }

  includes({ actor, policies }: ExecutionOwner): boolean {
    if (this.#actor === undefined ? actor !== undefined || policies === undefined : !isBelow(actor, this.#actor))
      return false;
    return this.policies.every((policy) => policies?.includes(policy));
  }

  owns(path: string): boolean {
    const [, root = "", id] = OUTPUT_FILE.exec(path) ?? [];
    if (id === undefined) return false;
    const record = this.#find(id);
    return record !== null && (record.root ?? this.#volume.root) === (root || "/") && this.includes(record);
  }

  #find(id: string): (ExecutionOwner & { readonly root?: string }) | null {
    const volume = this.#volume.ensureOpen();
    if (volume.pristine !== null) return null;
    const [row] = volume.store.db.rows("SELECT record FROM ws_exec WHERE id = ?", id);
    return row === undefined ? null : JSON.parse(String(row[0]));
  }
}

const OUTPUT_FILE = new RegExp(
  `^(.*)/${PRIVATE_DIRECTORY.replace(".", "\\.")}/exec/([A-Za-z0-9][A-Za-z0-9._-]{0,63})\\.log$`,
);

function isBelow(actor: string | undefined, owner: string): boolean {
  return actor === owner || actor?.startsWith(`${owner}/`) === true;
}
