/** One row of the graph: its lines and its dot. */
import type { GraphLine, GraphRow } from "./graph-rows.ts";

const LANE = 14;
const HEIGHT = 46;
const MIDDLE = HEIGHT / 2;
const COLORS = ["--accent", "--info", "--good", "--violet", "--warn", "--code-type", "--bad"];

export function GraphCell({ row }: { row: GraphRow }) {
  const width = Math.min(row.width, 12) * LANE + 6;
  return (
    <svg
      class="graph"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      aria-hidden="true"
      focusable="false"
    >
      {row.lines.map((line) => (
        <path
          key={`${line.kind}${line.from}-${line.to}`}
          d={linePath(line)}
          stroke={color(line.lane)}
          fill="none"
          stroke-width="2"
        />
      ))}
      <circle cx={x(row.lane)} cy={MIDDLE} r="4.5" fill={color(row.lane)} stroke="var(--surface)" stroke-width="1.5" />
    </svg>
  );
}

function x(lane: number): number {
  return lane * LANE + LANE / 2 + 2;
}

function color(lane: number): string {
  return `var(${COLORS[lane % COLORS.length]})`;
}

function linePath({ from, to, kind }: GraphLine): string {
  const top = kind === "out" ? MIDDLE : 0;
  const bottom = kind === "in" ? MIDDLE : HEIGHT;
  if (from === to) return `M${x(from)} ${top}V${bottom}`;
  const bend = (top + bottom) / 2;
  return `M${x(from)} ${top}C${x(from)} ${bend} ${x(to)} ${bend} ${x(to)} ${bottom}`;
}
