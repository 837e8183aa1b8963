/**
 * The workspace's private directory in a restricted view. It holds what commands of all principals printed, so no policy names its
 * files: a view shows only those of its own principal, and changes none. A directory of that name is private at any depth, because
 * views with a narrower root have their own. In the past all of it is hidden: a file's name may have had another owner.
 */
import type { PathRules } from "@workspace/glob";
import { PRIVATE_DIRECTORY } from "@workspace/protocol";

export interface PrivateFiles {
  /** Views with the same policies and the same key show the same files. */
  readonly key: string;
  /** Whether the output of a command at this path belongs to the view's principal. */
  owns(path: string): boolean;
}

const OUTPUT = `/${PRIVATE_DIRECTORY}/exec/`;

/** The rules of a view that also hides the private files of others. */
export function withPrivateFiles(rules: PathRules, files: PrivateFiles, isPast: boolean): PathRules {
  const hides = (path: string) => {
    const at = path.indexOf(OUTPUT);
    return at >= 0 && path.length > at + OUTPUT.length && (isPast || !files.owns(path));
  };
  return {
    ...rules,
    hides: true,
    visibility(path) {
      const seen = rules.visibility(path);
      return seen === "visible" && hides(path) ? "denied" : seen;
    },
    refusal: (path) => (isPrivate(path) ? "DENIED" : rules.refusal(path)),
  };
}

/** Without the entries of private files: in a restricted view, an undo or a restore leaves them as they are. */
export function revertible<Found extends { readonly entry: { readonly path: string } }>(
  { rules }: { readonly rules: PathRules | null },
  found: readonly Found[],
): readonly Found[] {
  return rules === null ? found : found.filter(({ entry }) => !isPrivate(entry.path));
}

/** Of the private directory, or the directory itself. */
function isPrivate(path: string): boolean {
  return path.endsWith(`/${PRIVATE_DIRECTORY}`) || path.includes(`/${PRIVATE_DIRECTORY}/`);
}
