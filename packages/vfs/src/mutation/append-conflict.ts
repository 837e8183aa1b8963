/** Thrown when a row to be grown in place has been grown by another owner since: plan again, with a new row. */
export class AppendConflict extends Error {}
