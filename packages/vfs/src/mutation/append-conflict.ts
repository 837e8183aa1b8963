/** Thrown when another owner has grown a row that was to be grown in place: plan again, with a new row. */
export class AppendConflict extends Error {}
