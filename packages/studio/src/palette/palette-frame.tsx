/** The palette's window: an input above a list, in a modal dialog that a click outside closes. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

interface PaletteFrameProps {
  input: {
    value: string;
    active: string | undefined;
    onInput: (text: string) => void;
    onKey: (event: KeyboardEvent) => void;
  };
  onClose: () => void;
  /** Shown when there is nothing to choose. */
  empty: string | undefined;
  children: ComponentChildren;
}

export function PaletteFrame({ input, onClose, empty, children }: PaletteFrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the browser paints and handles the next key: text typed right after the opening key belongs in here.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => before?.focus?.();
  }, []);
  useEffect(() => {
    if (input.active !== undefined) document.getElementById(input.active)?.scrollIntoView({ block: "nearest" });
  }, [input.active]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, by onCancel.
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to file or run a command"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <input
        class="palette-input"
        role="combobox"
        aria-label="File name, or > and a command"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={input.active}
        placeholder="File name, or > for commands"
        autocomplete="off"
        spellcheck={false}
        value={input.value}
        onInput={(event) => input.onInput(event.currentTarget.value)}
        onKeyDown={input.onKey}
      />
      <div id="palette-list" class="palette-list" role="listbox" aria-label="Choices">
        {children}
      </div>
      {empty !== undefined && <p class="palette-empty">{empty}</p>}
    </dialog>
  );
}
