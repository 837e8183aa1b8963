/** Every suite, in the order of a run. A new one is a file here and a line below. */
import { fs } from "./fs.ts";

export const suites = [fs];
