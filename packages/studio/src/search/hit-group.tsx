/** The hits in one file: each line with its context, matches highlighted. */
import type { GrepHit } from "@workspace/worker/api";
import { basename, dirname } from "../api/path.ts";
import { openFile } from "../state/tabs.ts";
import { Icon } from "../ui/icon.tsx";
import type { HitGroupData } from "./search-model.ts";

interface HitGroupProps {
  group: HitGroupData;
  closed: boolean;
  onToggle: () => void;
}

export function HitGroup({ group, closed, onToggle }: HitGroupProps) {
  return (
    <section class="hit-group" aria-label={group.path}>
      <h2>
        <button type="button" aria-expanded={!closed} onClick={onToggle}>
          <Icon name={closed ? "right" : "down"} size={12} />
          <span>{basename(group.path)}</span>
          <span class="faint cut">{dirname(group.path)}</span>
          <span class="count">{group.hits.length}</span>
        </button>
      </h2>
      {!closed && group.hits.map((hit) => <Hit key={`${hit.line}:${hit.offset}`} path={group.path} hit={hit} />)}
    </section>
  );
}

function Hit({ path, hit }: { path: string; hit: GrepHit }) {
  const open = () => openFile(path, { line: hit.line, column: hit.ranges[0]?.start ?? 0 });
  return (
    <button type="button" class="hit-line code" onClick={open}>
      {hit.before.map(({ line, text }) => (
        <Line key={line} number={line} text={text} faint />
      ))}
      <Line number={hit.line} text={hit.text} ranges={hit.ranges} cut={hit.cut} />
      {hit.after.map(({ line, text }) => (
        <Line key={line} number={line} text={text} faint />
      ))}
    </button>
  );
}

interface Range {
  start: number;
  end: number;
}

/** The approximate width, in pixels, around the text of a line, and of one letter. */
const AROUND = 150;
const LETTER = 7.3;

interface LineProps {
  number: number;
  text: string;
  ranges?: readonly Range[];
  faint?: boolean;
  cut?: boolean;
}

function Line({ number, text, ranges = [], faint = false, cut = false }: LineProps) {
  return (
    <span class={`hit-row ${faint ? "around" : ""}`}>
      <span class="hit-number">{number}</span>
      <span class="hit-text">
        {marked(...inView(text, ranges))}
        {cut && "…"}
      </span>
    </span>
  );
}

/** For a line wider than the screen, omits the text before the match, so that the match is visible. */
function inView(text: string, ranges: readonly Range[]): [string, readonly Range[]] {
  const columns = Math.floor((innerWidth - AROUND) / LETTER);
  const [first] = ranges;
  if (first === undefined || first.end <= columns) return [text, ranges];
  const from = Math.max(0, first.start - Math.floor(columns / 3));
  const shift = from - 1;
  return [`…${text.slice(from)}`, ranges.map(({ start, end }) => ({ start: start - shift, end: end - shift }))];
}

function marked(text: string, ranges: readonly Range[]) {
  const parts = [];
  let at = 0;
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, text.slice(at)];
}
