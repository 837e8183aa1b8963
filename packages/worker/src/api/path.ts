/**
 * Values that many requests share. A path in a query or a body is absolute (`/workspace/a.txt`) or relative to the root (`a.txt`);
 * in responses it is always absolute.
 */
import { z } from "zod";

/** The schema of a path before the file system checks it: without characters that a database cannot store. */
export const pathText = z
  .string()
  .max(4096)
  .refine((text) => text.isWellFormed() && !text.includes("\0"), "not a path")
  .describe("absolute, or relative to the workspace's root");

export const versionText = z.string().min(1).max(64);

/** A number in a query. */
export const countText = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((n) => n >= 1 && n <= max, `a number from 1 to ${max}`)
    .meta({ format: "int32", minimum: 1, maximum: max });

export const entryType = z.enum(["file", "directory", "symlink"]);
export type EntryTypeName = z.infer<typeof entryType>;
