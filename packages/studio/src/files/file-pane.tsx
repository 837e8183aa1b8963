/** The open files: tabs above, the current document below. */
import { route } from "../state/route.ts";
import { tabs } from "../state/tabs.ts";
import { Message } from "../ui/message.tsx";
import { DocumentView } from "./document-view.tsx";
import "./file-pane.css";
import { TabStrip } from "./tab-strip.tsx";

export function FilePane() {
  const { path } = route.value;
  const open = tabs.value.find((tab) => tab.path === path);
  return (
    <section class="file-pane" aria-label="Open files">
      {tabs.value.length > 0 && <TabStrip />}
      {open === undefined ? (
        <Message icon="file" title="No file is open">
          Choose one in the tree, or press <kbd>Ctrl P</kbd> and type a part of its name. <kbd>Ctrl K</kbd> shows every
          command.
        </Message>
      ) : (
        <DocumentView key={open.path} file={open} />
      )}
    </section>
  );
}
