/** One bar per hour. Pointing at a bar shows its numbers; a table gives them to screen readers. */
import { formatCount, plural } from "../ui/format.ts";
import { hourBars } from "./hour-bars.ts";

interface HourPlotProps {
  hours: readonly { time: number; changes: number; calls: number }[];
  now: number;
}

const WIDTH = 960;
const HEIGHT = 180;
const FOOT = 22;
const LEFT = 44;

export function HourPlot({ hours, now }: HourPlotProps) {
  const { bars, top, ticks } = hourBars(hours, now);
  const step = (WIDTH - LEFT) / bars.length;
  const y = (value: number) => (HEIGHT - FOOT) * (1 - value / top) + 4;
  return (
    <>
      <svg
        class="plot"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label="Bars of changes per hour; the table below has the numbers"
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="plot-line" x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
            <text
              class={tick === 0 ? "plot-word plot-zero" : "plot-word"}
              x={LEFT - 8}
              y={y(tick) + 4}
              text-anchor="end"
            >
              {formatCount(tick)}
            </text>
          </g>
        ))}
        {bars.map(({ time, changes, calls }, i) => (
          <g key={time}>
            <rect
              class="plot-bar"
              x={LEFT + i * step + 1.5}
              y={y(changes)}
              width={step - 3}
              height={Math.max(0, y(0) - y(changes))}
              rx="2"
            />
            <rect class="plot-hit" x={LEFT + i * step} y="0" width={step} height={HEIGHT - FOOT}>
              <title>{`${hourName(time)}: ${plural(changes, "change")} in ${plural(calls, "call")}`}</title>
            </rect>
            {i % 6 === 0 && (
              <text class="plot-word" x={LEFT + i * step + step / 2} y={HEIGHT - 4} text-anchor="middle">
                {shortHour(time)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <table class="visually-hidden">
        <caption>Changes per hour</caption>
        <tbody>
          {hours.map(({ time, changes, calls }) => (
            <tr key={time}>
              <th scope="row">{hourName(time)}</th>
              <td>{plural(changes, "change")}</td>
              <td>{plural(calls, "call")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hours.length === 0 && <p class="faint">No changes in the last two days.</p>}
    </>
  );
}

function hourName(time: number): string {
  return new Date(time).toLocaleString(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit" });
}

function shortHour(time: number): string {
  return new Date(time).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
}
