/** The open files, as tabs. Closing a file with unsaved edits asks first. */
import { useEffect, useRef, useState } from "preact/hooks";
import { basename } from "../api/path.ts";
import { registerCommands } from "../state/commands.ts";
import type { FileDocument } from "../state/file-document.ts";
import { go, route } from "../state/route.ts";
import { closeTab, openFile, tabs } from "../state/tabs.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { saveDocument } from "./save-document.ts";

export function TabStrip() {
  const [asking, setAsking] = useState<FileDocument | null>(null);
  const close = (file: FileDocument) => (file.dirty.value ? setAsking(file) : closeTab(file.path));
  const onKeyDown = (event: KeyboardEvent) => {
    const shown = tabs.value.find(({ path }) => path === route.value.path);
    if (event.key === "Delete" && shown !== undefined) close(shown);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const at = tabs.value.findIndex(({ path }) => path === route.value.path);
    const next = tabs.value[(at + step + tabs.value.length) % tabs.value.length];
    if (next === undefined) return;
    event.preventDefault();
    openFile(next.path);
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".tab.shown [role=tab]")?.focus());
  };
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const run = () => {
      const shown = tabs.value.find(({ path }) => path === route.value.path);
      if (shown !== undefined) latest.current(shown);
    };
    return registerCommands([{ id: "close-tab", label: "Close the tab", group: "Files", run }]);
  }, []);
  return (
    <div class="tab-strip">
      <button type="button" class="tab-back" aria-label="Back to the tree" onClick={() => go({ view: "files" })}>
        <Icon name="left" />
      </button>
      <div role="tablist" aria-label="Open files" style={{ display: "contents" }} onKeyDown={onKeyDown} tabIndex={-1}>
        {tabs.value.map((file) => (
          <Tab key={file.path} file={file} shown={file.path === route.value.path} onClose={() => close(file)} />
        ))}
      </div>
      {asking !== null && <Unsaved file={asking} onClose={() => setAsking(null)} />}
    </div>
  );
}

function Tab({ file, shown, onClose }: { file: FileDocument; shown: boolean; onClose: () => void }) {
  const name = basename(file.path);
  const dirty = file.dirty.value;
  return (
    <div class={`tab ${shown ? "shown" : ""}`} role="presentation">
      <button
        type="button"
        role="tab"
        aria-selected={shown}
        tabIndex={shown ? 0 : -1}
        aria-keyshortcuts="Delete"
        title={file.path}
        onClick={() => openFile(file.path)}
        onAuxClick={(event) => event.button === 1 && onClose()}
      >
        <span class="cut">{name}</span>
        {dirty && <span class="visually-hidden">(unsaved)</span>}
      </button>
      {/* A list of tabs holds tabs alone; from the keyboard it is Delete, and the palette. */}
      <button
        type="button"
        class={`tab-close ${dirty ? "dirty" : ""}`}
        tabIndex={-1}
        aria-hidden="true"
        title={`Close ${name}`}
        onClick={onClose}
      >
        <Icon name="close" size={12} />
      </button>
    </div>
  );
}

function Unsaved({ file, onClose }: { file: FileDocument; onClose: () => void }) {
  const save = async () => {
    onClose();
    if (await saveDocument(file)) closeTab(file.path);
  };
  return (
    <Dialog title="Save before closing?" onClose={onClose}>
      <p>
        <code>{file.path}</code> has edits that are nowhere else.
      </p>
      <div class="dialog-actions">
        <Button label="Keep editing" onClick={onClose} />
        <Button
          kind="danger"
          label="Close without saving"
          onClick={() => {
            onClose();
            closeTab(file.path);
          }}
        />
        <Button kind="primary" label="Save and close" onClick={save} />
      </div>
    </Dialog>
  );
}
