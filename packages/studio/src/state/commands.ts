/** The commands of the palette. Parts of the page register theirs while they are shown. */
import { computed, signal } from "@preact/signals";

export interface Command {
  id: string;
  label: string;
  /** Shown on the right; the keys are handled elsewhere. */
  keys?: string;
  /** The group that it belongs to. */
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
