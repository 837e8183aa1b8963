/** Paths of one kind, each with its status letter, and buttons that stage or unstage one or all. */
import { basename, dirname } from "../api/path.ts";
import { mayWrite } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import type { IconName } from "../ui/icon.tsx";
import type { Change } from "./read-status.ts";

interface ChangeListProps {
  title: string;
  changes: readonly Change[];
  chosen: string | undefined;
  acts: { icon: IconName; label: string; run: (paths: string[]) => void };
  onChoose: (path: string) => void;
}

const WORDS: Record<string, string> = {
  M: "modified",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type changed",
  U: "conflict",
  "?": "new",
};

export function ChangeList({ title, changes, chosen, acts, onChoose }: ChangeListProps) {
  if (changes.length === 0) return null;
  const all = changes.map(({ path }) => path);
  return (
    <section class="change-list" aria-label={title}>
      <header class="pane-head">
        <h2>
          {title} <span class="count">{changes.length}</span>
        </h2>
        {mayWrite() && (
          <Button kind="quiet" icon={acts.icon} label={`${acts.label} all`} onClick={() => acts.run(all)} />
        )}
      </header>
      <ul>
        {changes.map(({ path, letter, from }) => (
          <li key={path} class={path === chosen ? "shown" : ""}>
            <button type="button" class="change" aria-current={path === chosen} onClick={() => onChoose(path)}>
              <LetterMark letter={letter} />
              <span class="cut">{basename(path)}</span>
              <span class="faint cut">{from === undefined ? dirname(path) : `from ${from}`}</span>
            </button>
            {mayWrite() && (
              <Button kind="quiet" icon={acts.icon} label={`${acts.label} ${path}`} onClick={() => acts.run([path])} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function LetterMark({ letter }: { letter: string }) {
  const word = WORDS[letter] ?? letter;
  return (
    <span class={`letter letter-${word.split(" ")[0]}`} title={word}>
      <span aria-hidden="true">{letter === "?" ? "N" : letter}</span>
      <span class="visually-hidden">{word}</span>
    </span>
  );
}
