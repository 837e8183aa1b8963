/** What searches of one volume share: its index, the last file lists, and an engine besides the local one. */
import type { VolumeStore } from "../volume/views.ts";
import type { ExternalSearchEngine } from "./choose-engine.ts";
import { FileLists } from "./file-list.ts";
import { SearchIndex } from "./index/search-index.ts";

export class Search {
  readonly index: SearchIndex;
  readonly fileLists = new FileLists();
  /** The container's, where there is one: its owner sets it. */
  external: ExternalSearchEngine | null = null;

  constructor(store: VolumeStore) {
    this.index = new SearchIndex(store);
  }
}
