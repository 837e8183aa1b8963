/** A menu at a point of the page: arrows move in it, Escape and a click outside close it, and the focus returns. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";
import "./menu.css";

export interface MenuItem {
  label: string;
  icon: IconName;
  run: () => void;
  danger?: boolean;
}

interface MenuProps {
  label: string;
  at: { x: number; y: number };
  items: readonly MenuItem[];
  onClose: () => void;
}

export function Menu({ label, at, items, onClose }: MenuProps) {
  const element = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(at);
  useLayoutEffect(() => {
    const { offsetWidth: width, offsetHeight: height } = element.current!;
    setPlace({ x: Math.min(at.x, innerWidth - width - 8), y: Math.min(at.y, innerHeight - height - 8) });
  }, [at]);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    element.current?.querySelector("button")?.focus();
    const outside = (event: Event) => {
      if (!element.current?.contains(event.target as Node)) onClose();
    };
    addEventListener("pointerdown", outside, true);
    return () => {
      removeEventListener("pointerdown", outside, true);
      before?.focus?.();
    };
  }, [onClose]);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...element.current!.querySelectorAll("button")];
    const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next !== undefined) buttons[(next + buttons.length) % buttons.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={element}
      class="menu"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      style={{ left: `${place.x}px`, top: `${place.y}px` }}
      onKeyDown={onKeyDown}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={item.danger ? "danger" : ""}
          onClick={() => {
            onClose();
            item.run();
          }}
        >
          <Icon name={item.icon} />
          {item.label}
        </button>
      ))}
    </div>
  );
}
