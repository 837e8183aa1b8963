/** A virtual list of rows of equal height: only those near the viewport exist. */
import type { ComponentChildren, HTMLAttributes } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import "./virtual-list.css";

interface VirtualListProps {
  count: number;
  row: (index: number) => ComponentChildren;
  /** Scrolled into view whenever it, or the turn, changes. */
  shown?: number;
  turn?: number;
  /** Attributes of the scrolling element, which is the list for screen readers. */
  attributes: HTMLAttributes<HTMLDivElement>;
}

const BEYOND = 10;

export function VirtualList({ count, row, shown, turn, attributes }: VirtualListProps) {
  const element = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 600 });
  const rowHeight = useRowHeight(element);
  const measure = useCallback(() => {
    const { scrollTop: top, clientHeight: height } = element.current!;
    setPlace((before) => (before.top === top && before.height === height ? before : { top, height }));
  }, []);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [measure]);
  useEffect(() => {
    const list = element.current;
    if (shown === undefined || shown < 0 || list === null) return;
    const top = shown * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
  }, [shown, turn, rowHeight]);
  const first = Math.max(0, Math.floor(place.top / rowHeight) - BEYOND);
  const last = Math.min(count, Math.ceil((place.top + place.height) / rowHeight) + BEYOND);
  return (
    <div ref={element} onScroll={measure} {...attributes} class={`virtual ${attributes.class ?? ""}`}>
      <div class="virtual-space" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, i) => row(first + i))}
        </div>
      </div>
    </div>
  );
}

/** From the style sheet: rows are taller on touch screens. */
function useRowHeight(element: { current: HTMLElement | null }): number {
  const [height, setHeight] = useState(26);
  useLayoutEffect(() => {
    const narrow = matchMedia("(max-width: 720px)");
    const read = () => setHeight(Number.parseFloat(getComputedStyle(element.current!).getPropertyValue("--row")) || 26);
    read();
    narrow.addEventListener("change", read);
    return () => narrow.removeEventListener("change", read);
  }, [element]);
  return height;
}
