/** What the palette offers. Parts of the page add their commands while they are shown, and take them away again. */
import { computed, signal } from "@preact/signals";

export interface Command {
  id: string;
  label: string;
  /** Shown on the right; the keys are handled where they mean something. */
  keys?: string;
  /** A word for what it belongs to. */
  group: string;
  run: () => void;
}

const sets = signal<readonly (readonly Command[])[]>([]);
export const commands = computed(() => sets.value.flat());
export const paletteOpen = signal<false | "commands" | "files">(false);

export function registerCommands(set: readonly Command[]): () => void {
  sets.value = [...sets.value, set];
  return () => {
    sets.value = sets.value.filter((one) => one !== set);
  };
}
