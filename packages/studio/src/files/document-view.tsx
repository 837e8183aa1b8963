/** One document by type: text in the editor, images, anything else as a download. */
import { useState } from "preact/hooks";
import { basename, dirname } from "../api/path.ts";
import { extension, type FileDocument } from "../state/file-document.ts";
import { go } from "../state/route.ts";
import { mayWrite } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { formatSize } from "../ui/format.ts";
import { lazy } from "../ui/lazy.tsx";
import { Failure, Loading, Message } from "../ui/message.tsx";
import { ConflictBar } from "./conflict-bar.tsx";
import { download } from "./entry-actions.ts";
import { ImageView } from "./preview/image-view.tsx";
import { saveDocument } from "./save-document.ts";

const CodeEditor = lazy("The editor", async () => (await import("../editor/code-editor.tsx")).CodeEditor);
const ThreeWay = lazy("The three-way view", async () => (await import("../editor/three-way.tsx")).ThreeWay);
const Markdown = lazy("The preview", async () => (await import("./preview/markdown-view.tsx")).MarkdownView);

export function DocumentView({ file }: { file: FileDocument }) {
  const [previewing, setPreviewing] = useState(false);
  if (file.state.value === "loading") return <Loading what={basename(file.path)} />;
  if (file.state.value === "failed")
    return <Failure what={basename(file.path)} error={file.error} retry={() => file.load()} />;
  const hasPreview = file.kind === "text" && (isMarkdown(file.path) || file.imageType !== undefined);
  return (
    <article class="document" aria-label={file.path}>
      <DocumentBar
        file={file}
        preview={hasPreview ? { on: previewing, toggle: () => setPreviewing(!previewing) } : null}
      />
      <ConflictBar file={file} />
      <div class="document-body">
        <Body file={file} previewing={previewing && hasPreview} />
      </div>
    </article>
  );
}

function Body({ file, previewing }: { file: FileDocument; previewing: boolean }) {
  // Subscribes to the signal, so that a newly loaded text is drawn.
  const turn = file.turn.value;
  if (file.merging.value && file.rival.value !== null)
    return <ThreeWay file={file} onDone={() => saveDocument(file, { overwrite: true })} />;
  if (file.kind === "image") return <ImageView key={turn} file={file} />;
  if (file.kind === "binary" || file.kind === "large") return <NotShown file={file} />;
  if (previewing) return isMarkdown(file.path) ? <Markdown file={file} /> : <ImageView key={turn} file={file} />;
  return <CodeEditor file={file} readOnly={!mayWrite()} onSave={() => saveDocument(file)} />;
}

interface DocumentBarProps {
  file: FileDocument;
  preview: { on: boolean; toggle: () => void } | null;
}

function DocumentBar({ file, preview }: DocumentBarProps) {
  const folder = dirname(file.path);
  const dirty = file.dirty.value;
  return (
    <div class="document-bar">
      <span class="document-path code cut">
        <bdi>
          {folder === "" ? "" : `${folder}/`}
          <strong>{basename(file.path)}</strong>
        </bdi>
      </span>
      {preview && (
        <Button
          kind="quiet"
          icon="eye"
          label="Preview"
          pressed={preview.on}
          onClick={preview.toggle}
          children="Preview"
        />
      )}
      <Button kind="quiet" icon="activity" label="History" onClick={() => go({ view: "activity", path: file.path })} />
      <Button
        kind="quiet"
        icon="download"
        label="Download"
        onClick={() => download(file.workspace, file.path, false)}
      />
      {file.kind === "text" && mayWrite() && !file.merging.value && (
        <Button
          kind={dirty ? "primary" : "plain"}
          label="Save"
          disabled={!dirty}
          busy={file.saving.value}
          onClick={() => saveDocument(file)}
        />
      )}
    </div>
  );
}

function NotShown({ file }: { file: FileDocument }) {
  const why = file.kind === "large" ? "It is too large for an editor in a page." : "It is not text in UTF-8.";
  return (
    <Message
      icon="file"
      title={`${basename(file.path)}, ${formatSize(file.bytes.length)}`}
      actions={
        <Button
          kind="primary"
          icon="download"
          label="Download"
          children="Download"
          onClick={() => download(file.workspace, file.path, false)}
        />
      }
    >
      {why}
    </Message>
  );
}

function isMarkdown(path: string): boolean {
  return ["md", "markdown", "mdx"].includes(extension(path));
}
