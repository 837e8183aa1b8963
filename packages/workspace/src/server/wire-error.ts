/** Errors cross as values: classes do not survive Workers RPC, and own properties only under newer compatibility dates. */
import type { WireError } from "@workspace/protocol";
import { FsError } from "@workspace/vfs";

export function toWireError(error: unknown): WireError {
  if (error instanceof FsError) {
    const { message, code, syscall, path, dest, oldest } = error;
    return { message, code, ...defined({ syscall, path, dest, oldest }) };
  }
  if (error instanceof Error) return { message: error.message, name: error.name };
  return { message: String(error) };
}

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
