/** A side and a main part, with a border that can be dragged or moved with the arrow keys. The width is stored. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import "./split.css";

interface SplitProps {
  side: ComponentChildren;
  children: ComponentChildren;
  label: string;
  class?: string;
}

const KEY = "studio.side";
const MIN = 180;
const MAX = 600;

export function Split({ side, children, label, class: name = "" }: SplitProps) {
  const [width, setWidth] = useState(() => Number(localStorage.getItem(KEY)) || 280);
  const resize = (next: number) => {
    const retained = Math.round(Math.max(MIN, Math.min(MAX, next)));
    setWidth(retained);
    localStorage.setItem(KEY, String(retained));
  };
  const onPointerDown = (event: PointerEvent) => {
    const start = event.clientX - width;
    const border = event.currentTarget as HTMLElement;
    border.setPointerCapture(event.pointerId);
    border.onpointermove = (move) => resize(move.clientX - start);
    border.onpointerup = () => {
      border.onpointermove = null;
    };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(width + step);
  };
  return (
    <div class={`split ${name}`} style={{ "--split": `${width}px` }}>
      <div class="split-side">{side}</div>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule that is moved is a separator, not an <hr>. */}
      <div
        class="split-border"
        role="separator"
        aria-orientation="vertical"
        aria-label={label}
        aria-valuenow={width}
        aria-valuemin={MIN}
        aria-valuemax={MAX}
        tabIndex={0}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
      />
      <div class="split-main">{children}</div>
    </div>
  );
}
