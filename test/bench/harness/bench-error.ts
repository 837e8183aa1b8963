/** Something the person at the keyboard can act on: shown as its message alone, without a stack. */
export class BenchError extends Error {
  override readonly name = "BenchError";
}
