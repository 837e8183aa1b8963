/** Light, dark, or the system's setting. The choice is stored on this machine only. */
import { computed, effect, signal } from "@preact/signals";

export type ThemeChoice = "system" | "light" | "dark";
const KEY = "studio.theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(system.matches);

const themeChoice = signal<ThemeChoice>(stored());
export const theme = computed<"light" | "dark">(() => {
  if (themeChoice.value !== "system") return themeChoice.value;
  return systemIsDark.value ? "dark" : "light";
});

system.addEventListener("change", (event) => {
  systemIsDark.value = event.matches;
});
effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

function chooseTheme(choice: ThemeChoice): void {
  themeChoice.value = choice;
  localStorage.setItem(KEY, choice);
}

export function toggleTheme(): void {
  chooseTheme(theme.value === "dark" ? "light" : "dark");
}

function stored(): ThemeChoice {
  const retained = localStorage.getItem(KEY);
  return retained === "light" || retained === "dark" ? retained : "system";
}
