/** The root view: the list of workspaces or the open one when signed in, else the sign-in form. */
import { useEffect } from "preact/hooks";
import { askAhead } from "../api/tree.ts";
import { route, workspace } from "../state/route.ts";
import { loadSession, session } from "../state/session.ts";
import "../state/theme.ts";
import { Loading } from "../ui/message.tsx";
import { WorkspaceList } from "../workspaces/workspace-list.tsx";
import { AppFrame } from "./app-frame.tsx";
import { NoticeList } from "./notice-list.tsx";
import { ServerUnavailable } from "./server-unavailable.tsx";
import { SignIn } from "./sign-in.tsx";

export function App() {
  useEffect(() => {
    loadSession();
    const { workspace: name, view } = route.value;
    if (name !== null && view === "files") askAhead(name);
  }, []);
  return (
    <>
      <CurrentPage />
      <NoticeList />
    </>
  );
}

function CurrentPage() {
  const { value: who } = session;
  switch (who.state) {
    case "asking":
      return <Loading what="the studio" />;
    case "failed":
      return <ServerUnavailable error={who.error} />;
    case "out":
      return <SignIn />;
    case "in":
      return workspace.value === null ? <WorkspaceList /> : <AppFrame key={workspace.value} name={workspace.value} />;
    default:
      return who satisfies never;
  }
}
