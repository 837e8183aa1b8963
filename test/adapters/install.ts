/** Installs the frameworks before the first adapter test: they are too large for the root's lock file. */
import { installProject } from "../../scripts/setup.mjs";

export default function setup(): void {
  installProject(import.meta.dirname);
}
