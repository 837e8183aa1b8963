/** Every suite, in the order of a run. A new one is a file here and a line below. */
import { fs } from "./fs.ts";
import { git } from "./git.ts";
import { history } from "./history.ts";
import { search } from "./search.ts";
import { shell } from "./shell.ts";
import { tools } from "./tools.ts";

export const suites = [fs, search, git, history, shell, tools];
