/** All workspaces: open, create or delete one. */
import { useState } from "preact/hooks";
import { deleteWorkspace, listWorkspaces, type WorkspaceInfo } from "../api/workspaces.ts";
import { notify, notifyError } from "../state/notices.ts";
import { routeHash } from "../state/route.ts";
import { mayWrite } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatAge, plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Mark } from "../ui/mark.tsx";
import { Failure, Loading, Message } from "../ui/message.tsx";
import { ThemeButton } from "../ui/theme-button.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { NewWorkspace } from "./new-workspace.tsx";
import "./workspace-list.css";

export function WorkspaceList() {
  const { value: found, error, reload } = useLoaded((signal) => listWorkspaces(signal), []);
  const [making, setMaking] = useState(false);
  const [removing, setRemoving] = useState<string | null>(null);
  document.title = "Workspaces";
  return (
    <main class="workspaces">
      <header class="workspaces-head">
        <Mark size={32} />
        <div>
          <h1>Workspaces</h1>
          <p class="faint">
            {found === undefined ? "Durable directories for agents" : plural(found.length, "workspace")}
          </p>
        </div>
        <span class="grow" />
        <ThemeButton />
        {mayWrite() && (
          <Button
            kind="primary"
            icon="plus"
            label="New workspace"
            children="New workspace"
            onClick={() => setMaking(true)}
          />
        )}
      </header>
      <Body found={found} error={error} reload={reload} onNew={() => setMaking(true)} onRemove={setRemoving} />
      {making && <NewWorkspace onClose={() => setMaking(false)} />}
      {removing !== null && <Removal name={removing} onClose={() => setRemoving(null)} onDone={reload} />}
    </main>
  );
}

interface BodyProps {
  found: WorkspaceInfo[] | undefined;
  error: unknown;
  reload: () => void;
  onNew: () => void;
  onRemove: (name: string) => void;
}

function Body({ found, error, reload, onNew, onRemove }: BodyProps) {
  if (found === undefined)
    return error === undefined ? (
      <Loading what="workspaces" />
    ) : (
      <Failure what="The list" error={error} retry={reload} />
    );
  if (found.length === 0)
    return (
      <Message
        icon="folder"
        title="No workspace yet"
        actions={
          <Button kind="primary" icon="plus" label="Create a workspace" children="Create a workspace" onClick={onNew} />
        }
      >
        A workspace is a working directory that stays: files, a shell, git and the history of every change. Start with
        an empty one, from a git repository, or from an archive.
      </Message>
    );
  return (
    <ul class="workspace-cards">
      {found.map(({ name, createdAt, from }) => (
        <li key={name} class="workspace-card">
          <a href={routeHash({ workspace: name, view: "files", path: "" })}>
            <span class="workspace-letter" aria-hidden="true">
              {name[0]?.toUpperCase()}
            </span>
            <span class="cut">
              <strong class="cut">{name}</strong>
              <span class="faint cut">
                {from?.git !== undefined ? `from ${from.git}` : `made ${formatAge(createdAt)}`}
              </span>
            </span>
          </a>
          {mayWrite() && <Button kind="quiet" icon="trash" label={`Delete ${name}`} onClick={() => onRemove(name)} />}
          <Icon name="right" />
        </li>
      ))}
    </ul>
  );
}

function Removal({ name, onClose, onDone }: { name: string; onClose: () => void; onDone: () => void }) {
  const [typed, setTyped] = useState("");
  const remove = async (event: Event) => {
    event.preventDefault();
    try {
      await deleteWorkspace(name);
      notify({ kind: "good", text: `${name} was deleted.` });
      onDone();
    } catch (error) {
      notifyError(`${name} was not deleted`, error);
    }
    onClose();
  };
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <form class="workspace-removal" onSubmit={remove}>
        <p>This deletes its files, repositories and history permanently. You cannot undo it.</p>
        <label>
          Type <code>{name}</code> to go on
          <input class="area" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <div class="dialog-actions">
          <Button label="Cancel" onClick={onClose} />
          <Button kind="danger" type="submit" label="Delete permanently" disabled={typed !== name} />
        </div>
      </form>
    </Dialog>
  );
}
