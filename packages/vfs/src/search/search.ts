/** The state that all searches of a volume share: its index, the most recent file lists, and an optional external engine. */
import type { VolumeStore } from "../volume/views.ts";
import type { ExternalSearchEngine } from "./choose-engine.ts";
import { FileLists } from "./file-list.ts";
import { SearchIndex } from "./index/search-index.ts";

export class Search {
  readonly index: SearchIndex;
  readonly fileLists = new FileLists();
  /** The container's engine, which the owner of the container sets; null: there is none. */
  external: ExternalSearchEngine | null = null;

  constructor(store: VolumeStore) {
    this.index = new SearchIndex(store);
  }
}
