/** Switches between light and dark. */
import { theme, toggleTheme } from "../state/theme.ts";
import { Button } from "./button.tsx";

export function ThemeButton() {
  const dark = theme.value === "dark";
  return (
    <Button
      kind="quiet"
      icon={dark ? "sun" : "moon"}
      label={dark ? "Light theme" : "Dark theme"}
      onClick={toggleTheme}
    />
  );
}
