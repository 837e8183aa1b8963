/** Search across the workspace as you type. Hits stream in, grouped by file, with context; Enter in the field opens the first. */
import { useEffect, useRef, useState } from "preact/hooks";
import { workspace } from "../state/route.ts";
import { openFile } from "../state/tabs.ts";
import { formatCount, formatSize, plural } from "../ui/format.ts";
import { Failure, Message } from "../ui/message.tsx";
import { HitGroup } from "./hit-group.tsx";
import { SearchForm } from "./search-form.tsx";
import { type Results, search } from "./search-model.ts";
import "./search.css";

export function SearchView() {
  const name = workspace.value as string;
  const { value: query } = search.query;
  const results = search.results.value;
  const list = useRef<HTMLDivElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => search.run(name, query), [name, query]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const links = [...(list.current?.querySelectorAll<HTMLElement>(".hit-line") ?? [])];
    const next = links[links.indexOf(document.activeElement as HTMLElement) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  const toggle = (path: string) => {
    const next = new Set(closed);
    if (!next.delete(path)) next.add(path);
    setClosed(next);
  };
  const enter = () => {
    const first = results.groups[0]?.hits[0];
    if (first) openFile(results.groups[0]!.path, { line: first.line, column: first.ranges[0]?.start ?? 0 });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move among the hits wherever the focus is in here.
    <div class="search" onKeyDown={onKeyDown}>
      <SearchForm query={query} onQuery={(next) => (search.query.value = next)} onEnter={enter} />
      <p class="search-summary" role="status">
        {summary(query.pattern, results)}
      </p>
      <div class="search-results" ref={list}>
        {results.error !== undefined ? (
          <Failure what="Search" error={results.error} small />
        ) : (
          results.groups.map((group) => (
            <HitGroup
              key={group.path}
              group={group}
              closed={closed.has(group.path)}
              onToggle={() => toggle(group.path)}
            />
          ))
        )}
        <Nothing pattern={query.pattern} results={results} />
      </div>
    </div>
  );
}

function summary(pattern: string, results: Results): string {
  if (pattern === "" || results.error !== undefined) return "";
  const files = plural(results.groups.length, "file");
  const found = `${plural(results.hits, "hit")} in ${files}`;
  if (results.running) return results.hits === 0 ? "Searching…" : `${found}, searching…`;
  if (results.end === undefined) return "";
  const { stats, truncated, engine } = results.end;
  const looked = `${formatCount(stats.filesSearched)} files, ${formatSize(stats.bytesSearched)} searched`;
  return `${found}${truncated ? "; there are more, narrow it down" : ""} · ${looked} · ${results.tookMs} ms (${engine} engine)`;
}

function Nothing({ pattern, results }: { pattern: string; results: Results }) {
  if (results.error !== undefined || results.running || results.hits > 0) return null;
  if (pattern === "")
    return (
      <Message icon="search" title="Search in every file">
        Type at least one letter. Hits show as you type; <kbd>↓</kbd> goes into them, <kbd>Enter</kbd> opens one. What
        .gitignore leaves out is left out here too.
      </Message>
    );
  return (
    <Message icon="search" title="Nothing found">
      No file matches. Check the spelling, the case, and the files to include.
    </Message>
  );
}
