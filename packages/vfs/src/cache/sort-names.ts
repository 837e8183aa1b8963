/**
 * Names or paths in byte order, in place. V8 sorts strings by their units without calling anybody, and that is the order of
 * bytes too, unless there are characters above the first plane.
 */
import { compareNames } from "../path.ts";

const SURROGATE = /[\ud800-\udfff]/;

export function sortNames(names: string[]): string[] {
  return names.some((name) => SURROGATE.test(name)) ? names.sort(compareNames) : names.sort();
}
