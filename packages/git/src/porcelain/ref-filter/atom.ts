/** One parsed field of a `--format` for refs (`for-each-ref`, `branch`, `tag`), such as `%(*authordate:iso)`. */
export interface Atom {
  /** As written: "*authordate:iso". */
  readonly source: string;
  readonly name: string;
  readonly option: string | null;
  /** With "*": applies to the tag's target. */
  readonly dereferenced: boolean;
}
