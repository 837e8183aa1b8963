/**
 * Directories of files that are named by their content, and that files beside them refer to: git's objects. Whoever composes the
 * workspace says what they look like; this package knows nothing of git.
 *
 * An undo that leaves later changes in place cannot know which of these files they refer to. Such files never change and do no harm,
 * so it takes none away, and brings back those that were removed since.
 */
export interface StorePolicy {
  /** The directory's name ("objects"), and the names that stand beside it in the directory that holds it. */
  readonly directory: string;
  readonly beside: readonly string[];
  /** Names of the files in it that are named by their content. */
  readonly file: RegExp;
  /** Files of lines in it or beside it that later changes may refer to: lines are added to them, and none is taken away. */
  readonly lists: readonly string[];
  /** A directory beside it whose files may move into one file, each as a line that ends in a space and the file's path. */
  readonly packed: { readonly from: string; readonly into: string };
}

/** One such directory of the workspace. */
export interface Store {
  /** The directory that holds it, and where that is. */
  readonly owner: number;
  readonly path: string;
  readonly directory: number;
}
