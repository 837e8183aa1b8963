/** Checks the options of a local call or the settings of a constructor against a table; what is wrong is an `FsError`. */
import { checkOptions as checkTable, OptionError, type OptionTable } from "@workspace/protocol";
import { FsError } from "./errors.ts";

/** A table of limits with a default each. */
export function boundsOf(defaults: object, kind: "bound" | "positiveBound" = "bound"): OptionTable {
  return Object.fromEntries(Object.keys(defaults).map((name) => [name, kind]));
}

/** Returns the options after checking that each is known. Absent ones are left out, so that defaults apply. */
export function checkOptions<T extends object>(
  table: OptionTable,
  given: unknown,
  call: { syscall: string; path?: unknown },
): Partial<T> {
  try {
    return checkTable(table, given, "local") as Partial<T>;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    const { syscall, path } = call;
    const reason = error.message;
    throw new FsError("EINVAL", { syscall, reason, ...(typeof path === "string" ? { path } : {}) });
  }
}
