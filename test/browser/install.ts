/** Installs what the suite drives Chromium with, before any of its files is loaded. */
import { installProject } from "../../scripts/setup.mjs";

export default function setup(): void {
  installProject(import.meta.dirname);
}
