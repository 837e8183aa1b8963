/**
 * Sorts names or paths in byte order, in place. V8 sorts strings by code unit without a callback. That equals byte order unless
 * there are characters above the first plane.
 */
import { compareNames } from "../tree/path.ts";

const SURROGATE = /[\ud800-\udfff]/;

export function sortNames(names: string[]): string[] {
  return names.some((name) => SURROGATE.test(name)) ? names.sort(compareNames) : names.sort();
}
