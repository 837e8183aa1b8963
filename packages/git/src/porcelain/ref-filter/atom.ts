/** A field of a format, parsed. */
export interface Atom {
  /** As written: "*authordate:iso". */
  readonly source: string;
  readonly name: string;
  readonly option: string | null;
  /** With "*": applies to the tag's target. */
  readonly dereferenced: boolean;
}
