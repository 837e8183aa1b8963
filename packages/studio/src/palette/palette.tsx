/**
 * The palette: files by name (through the server's glob) and, after ">", commands. A combobox over a list, fully usable by
 * keyboard.
 */
import { useEffect, useState } from "preact/hooks";
import { asApiError } from "../api/api-error.ts";
import { glob } from "../api/search.ts";
import { type Command, commands, paletteOpen } from "../state/commands.ts";
import { workspace } from "../state/route.ts";
import { openFile, tabs } from "../state/tabs.ts";
import { Icon } from "../ui/icon.tsx";
import { fuzzyScore } from "./fuzzy-score.ts";
import "./palette.css";
import { PaletteFrame } from "./palette-frame.tsx";

interface Choice {
  id: string;
  label: string;
  detail?: string;
  keys?: string;
  icon: "file" | "right";
  run: () => void;
}

const SHOWN = 60;

export function Palette() {
  const mode = paletteOpen.value;
  if (mode === false) return null;
  return <OpenPalette key={mode} start={mode === "commands" ? ">" : ""} />;
}

function OpenPalette({ start }: { start: string }) {
  const [text, setText] = useState(start);
  const [at, setAt] = useState(0);
  const { files, failure } = useFileChoices(text.startsWith(">") ? null : text.trim());
  const choices = text.startsWith(">") ? commandChoices(text.slice(1).trim()) : files;
  const close = () => {
    paletteOpen.value = false;
  };
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    close();
    choice.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && choices.length > 0) {
      event.preventDefault();
      setAt((now) => (now + step + choices.length) % choices.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(choices[at]);
    }
  };
  const input = {
    value: text,
    active: choices[at] ? `palette-${at}` : undefined,
    onInput: (value: string) => {
      setText(value);
      setAt(0);
    },
    onKey,
  };
  return (
    <PaletteFrame input={input} onClose={close} empty={choices.length === 0 ? (failure ?? emptyText(text)) : undefined}>
      {choices.map((choice, i) => (
        <div
          key={choice.id}
          id={`palette-${i}`}
          role="option"
          aria-selected={i === at}
          tabIndex={-1}
          class="palette-choice"
          onClick={() => choose(choice)}
          onKeyDown={onKey}
          onMouseMove={() => setAt(i)}
        >
          <Icon name={choice.icon} />
          <span class="cut">{choice.label}</span>
          {choice.detail !== undefined && <span class="faint cut">{choice.detail}</span>}
          {choice.keys !== undefined && <kbd>{choice.keys.replace("mod", "Ctrl")}</kbd>}
        </div>
      ))}
    </PaletteFrame>
  );
}

function emptyText(text: string): string {
  if (text.startsWith(">")) return "No such command.";
  return text === "" ? "Type a part of a file's name, or > for commands." : "No file has a name like this.";
}

function commandChoices(query: string): Choice[] {
  return ranked(commands.value, query, (command) => `${command.group} ${command.label}`).map((command: Command) => ({
    ...command,
    icon: "right",
    detail: command.group,
  }));
}

function useFileChoices(query: string | null): { files: Choice[]; failure: string | undefined } {
  const [found, setFound] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const name = workspace.value;
    setFailure(undefined);
    if (query === null || query === "" || name === null) return setFound([]);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const pattern = `**/*${[...query].map(globLetter).join("*")}*`;
      const deep = `**/*${query
        .split("/")
        .map((part) => [...part].map(globLetter).join(""))
        .join("*/**/*")}*`;
      glob(name, query.includes("/") ? deep : pattern, 500, controller.signal).then(
        ({ paths }) => setFound(paths),
        (error) =>
          controller.signal.aborted || setFailure(`Files could not be looked up: ${asApiError(error).message}`),
      );
    }, 80);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query]);
  const paths = query === "" ? tabs.value.map((tab) => tab.path) : found;
  return { files: ranked(paths, query ?? "", (path) => path).map(fileChoice), failure };
}

function fileChoice(path: string): Choice {
  const slash = path.lastIndexOf("/");
  return {
    id: path,
    label: path.slice(slash + 1),
    detail: path.slice(0, Math.max(slash, 0)),
    icon: "file",
    run: () => openFile(path),
  };
}

/** One letter of a glob, in either case; special characters are escaped. */
function globLetter(letter: string): string {
  if (/[a-z]/i.test(letter)) return `[${letter.toLowerCase()}${letter.toUpperCase()}]`;
  return /[\w.-]/.test(letter) ? letter : "?";
}

function ranked<T>(items: readonly T[], query: string, text: (item: T) => string): T[] {
  if (query === "") return items.slice(0, SHOWN);
  return items
    .map((item) => ({ item, score: fuzzyScore(text(item), query) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN)
    .map(({ item }) => item);
}
