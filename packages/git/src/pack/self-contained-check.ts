/**
 * Whether a pack is self-contained: every object that it references is in it and has the referenced type. Checked while the objects
 * are in memory for hashing; a later walk would read every tree of the history again. False is inconclusive: a missing object may
 * be elsewhere, and the connectivity walk decides.
 */
import { OidTable } from "../hash/oid-table.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import { LINK_KINDS, visitLinks } from "../object/link-names.ts";
import type { ObjectType } from "../odb/object-database.ts";
import { typeOfCode } from "./entry-header.ts";
import type { ObjectTable } from "./object-table.ts";
import type { NamedObjects, PackObserver } from "./pack-observer.ts";

/** Marks an id that is in the pack. */
const HERE = 128;
/** Maximum share of the memory budget. */
const SHARE = 1 / 8;

export class SelfContainedCheck implements PackObserver, Disposable {
  readonly #memory: MemoryBudget;
  #links: OidTable | null = null;
  #charged = 0;
  /** Objects whose links were recorded. */
  #seen = 0;
  #isSound = true;
  #isWhole = false;
  /** One instance for all objects: an instance for each would be most of the garbage. */
  readonly #add = (bytes: Uint8Array, at: number, kind: number) => {
    const links = this.#links;
    if (links === null) return;
    const link = links.addBytes(bytes, at);
    links.flags[link] = (links.flags[link] as number) | kind;
  };

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  /** Valid after the whole pack is indexed. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  onObject({ table, arena }: NamedObjects, row: number): void {
    const type = typeOfCode(table.type[row] as number) as ObjectType;
    if (type === "blob" || !this.#isSound) return;
    this.#seen++;
    this.#links ??= this.#open(table.capacity);
    const at = arena.at(table.place[row] as number);
    const isRead = visitLinks(type, arena.bytes, at, at + (table.size[row] as number), this.#add);
    // More ids than objects: some are missing.
    if (!isRead || (this.#links?.count ?? Number.POSITIVE_INFINITY) > table.capacity) this.#giveUp();
  }

  flush({ table }: NamedObjects, all: boolean): null {
    if (!all) return null;
    this.#isWhole = this.#isSound && this.#allHere(table);
    this.#giveUp();
    return null;
  }

  [Symbol.dispose](): void {
    this.#giveUp();
  }

  #allHere(table: ObjectTable): boolean {
    const links = this.#links;
    if (links === null) return false;
    let unseen = -this.#seen;
    for (let row = 0; row < table.count; row++) {
      const kind = LINK_KINDS[typeOfCode(table.type[row] as number) as ObjectType];
      if (kind !== LINK_KINDS.blob) unseen++;
      const link = links.findBytes(table.names, row * 20);
      if (link >= 0 && links.flags[link] === kind) links.flags[link] = HERE;
    }
    // Objects too large to hold were not parsed.
    if (unseen !== 0) return false;
    for (let link = 0; link < links.count; link++) if (links.flags[link] !== HERE) return false;
    return true;
  }

  #open(count: number): OidTable | null {
    const bytes = OidTable.bytesFor(count + 1);
    if (bytes > this.#memory.limit * SHARE || bytes > this.#memory.free) return null;
    this.#memory.charge(bytes, "the names in a pack");
    this.#charged = bytes;
    return new OidTable(count + 1);
  }

  #giveUp(): void {
    this.#isSound = false;
    this.#links?.free();
    this.#links = null;
    this.#memory.release(this.#charged);
    this.#charged = 0;
  }
}
