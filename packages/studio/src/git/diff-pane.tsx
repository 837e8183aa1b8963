/** The diff of one path, side by side. */
import { openFile } from "../state/tabs.ts";
import { Button } from "../ui/button.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Failure, Loading, Message } from "../ui/message.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import type { Sides } from "./read-sides.ts";

const DiffView = lazy("The difference", async () => (await import("../editor/diff-view.tsx")).DiffView);

interface DiffPaneProps {
  path: string;
  note: string;
  /** Reloads when it changes. */
  turn: string;
  load: (signal: AbortSignal) => Promise<Sides>;
  onBack: () => void;
}

export function DiffPane({ path, note, turn, load, onBack }: DiffPaneProps) {
  const { value: sides, error, reload } = useLoaded(load, [path, turn]);
  return (
    <section class="diff-pane" aria-label={`Difference of ${path}`}>
      <header class="document-bar">
        <Button class="only-narrow" kind="quiet" icon="left" label="Back to the list" onClick={onBack} />
        <span class="code cut">{path}</span>
        <span class="diff-note faint cut">{note}</span>
        <Button kind="quiet" icon="file" label="Open the file" onClick={() => openFile(path)} />
      </header>
      {error !== undefined && <Failure what="The difference" error={error} retry={reload} />}
      {sides === undefined && error === undefined && <Loading what="the difference" />}
      {sides?.binary && (
        <Message icon="file" title="Not text">
          One side is not text, so there are no lines to compare.
        </Message>
      )}
      {sides && !sides.binary && <DiffView path={path} before={sides.before} after={sides.after} />}
    </section>
  );
}
