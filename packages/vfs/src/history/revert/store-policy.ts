/**
 * Directories of content-addressed files that files beside them refer to: git's objects. The composition root describes them; this
 * package knows nothing of git.
 *
 * An undo that leaves later changes in place cannot know which of these files they refer to. Such files never change and do no
 * harm, so it removes none, and restores those that were removed since.
 */
export interface StorePolicy {
  /** The directory's name ("objects"), and the names beside it in its parent. */
  readonly directory: string;
  readonly beside: readonly string[];
  /** Names of its content-addressed files. */
  readonly file: RegExp;
  /** Line-based files in it or beside it that later changes may refer to: lines are added to them, and none is removed. */
  readonly lists: readonly string[];
  /** A directory beside it whose files may move into one file, each as a line that ends in a space and the file's path. */
  readonly packed: { readonly from: string; readonly into: string };
}

/** One such directory of the workspace. */
export interface Store {
  /** Its parent directory, and the path of that. */
  readonly owner: number;
  readonly path: string;
  readonly directory: number;
}
