/** The diff of an item, file by file. */
import { type DiffFile, readDiff } from "../api/history.ts";
import { relative } from "../api/path.ts";
import { openFile } from "../state/tabs.ts";
import { formatSize, plural } from "../ui/format.ts";
import { Failure, Loading } from "../ui/message.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { PatchView } from "./patch-view.tsx";
import { ofGit, type TimelineItem } from "./timeline.ts";

export function ItemDiff({ workspace, item }: { workspace: string; item: TimelineItem }) {
  const { change } = item;
  const { value, error, reload } = useLoaded(
    (signal) =>
      change === undefined
        ? Promise.resolve({ files: [], truncated: false })
        : readDiff(workspace, { from: change.before, to: change.cursor }, signal),
    [workspace, item.id],
  );
  return (
    <div class="moment-diff">
      {item.call !== undefined && <pre class="moment-input">{pretty(item.call.input)}</pre>}
      {value === undefined && error === undefined && <Loading what="the difference" />}
      {error !== undefined && <Failure what="The difference" error={error} retry={reload} small />}
      {value?.files.length === 0 && <p class="faint">It changed no file{change === undefined ? "" : "'s content"}.</p>}
      {value?.files
        .filter(({ path }) => !ofGit(path))
        .map((file) => (
          <FileDiff key={file.path} file={file} />
        ))}
      {value !== undefined && <GitsOwn files={value.files.filter(({ path }) => ofGit(path))} />}
      {value?.truncated && <p class="faint">Only part of the changes is shown.</p>}
    </div>
  );
}

/** A tool's input, without secrets and long texts. */
function pretty(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input), null, 2);
  } catch {
    return input;
  }
}

/** git's own repository files are not readable text: shows their number, and their names on request. */
function GitsOwn({ files }: { files: readonly DiffFile[] }) {
  if (files.length === 0) return null;
  return (
    <details class="gits-own">
      <summary>{plural(files.length, "path")} of git's own repository</summary>
      <ul>
        {files.map(({ path, status }) => (
          <li key={path}>
            <span class={`op ${status}`}>{status}</span>
            <span class="code cut">{relative(path) ?? path}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function FileDiff({ file }: { file: DiffFile }) {
  const path = relative(file.path) ?? file.path;
  return (
    <section class="file-diff" aria-label={`Difference of ${path}`}>
      <header>
        <span class={`op ${file.status}`}>{file.status}</span>
        <button type="button" class="file-diff-path code cut" onClick={() => openFile(path)}>
          {path}
        </button>
        {file.from !== undefined && <span class="faint cut">from {relative(file.from)}</span>}
        <span class="grow" />
        <span class="faint">{sizes(file)}</span>
      </header>
      {file.patch !== undefined && <PatchView patch={file.patch} path={path} />}
      {file.binary && <p class="faint">Not text, or too large to compare.</p>}
    </section>
  );
}

function sizes({ type, oldSize, newSize }: DiffFile): string {
  if (type === "dir" || type === "directory") return "folder";
  if (oldSize === undefined) return newSize === undefined ? "" : formatSize(newSize);
  return newSize === undefined || newSize === oldSize
    ? formatSize(oldSize)
    : `${formatSize(oldSize)} → ${formatSize(newSize)}`;
}
