/** A button. An icon-only button has a label for screen readers and a tooltip. */
import type { ComponentChildren } from "preact";
import "./button.css";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps {
  kind?: "plain" | "primary" | "quiet" | "danger";
  icon?: IconName;
  /** Its action; shown as text if there are no children and no icon. */
  label: string;
  /** The accessible name, if the visible text is too short for one; it begins with that text. */
  name?: string;
  children?: ComponentChildren;
  onClick?: (event: MouseEvent) => void;
  disabled?: boolean;
  busy?: boolean;
  pressed?: boolean;
  expanded?: boolean;
  type?: "button" | "submit";
  class?: string;
  tabIndex?: number;
}

export function Button(props: ButtonProps) {
  const { kind = "plain", icon, label, children, busy = false, type = "button" } = props;
  const alone = icon !== undefined && children === undefined;
  return (
    <button
      type={type}
      class={`button ${kind} ${alone ? "alone" : ""} ${props.class ?? ""}`}
      onClick={props.onClick}
      disabled={props.disabled || busy}
      aria-busy={busy || undefined}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      aria-label={alone ? label : props.name}
      title={alone || props.name ? label : undefined}
      tabIndex={props.tabIndex}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {alone ? null : <span>{children ?? label}</span>}
    </button>
  );
}
