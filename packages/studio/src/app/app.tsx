/** Who may come in sees the list of workspaces, or the open one; who may not, the door. */
import { useEffect } from "preact/hooks";
import { askAhead } from "../api/tree.ts";
import { route, workspace } from "../state/route.ts";
import { askWho, session } from "../state/session.ts";
import "../state/theme.ts";
import { Loading } from "../ui/message.tsx";
import { NotServed } from "./not-served.tsx";
import { NoticeList } from "./notice-list.tsx";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in.tsx";
import { WorkspaceList } from "./workspace-list.tsx";

export function App() {
  useEffect(() => {
    askWho();
    const { workspace: name, view } = route.value;
    if (name !== null && view === "files") askAhead(name);
  }, []);
  return (
    <>
      <Place />
      <NoticeList />
    </>
  );
}

function Place() {
  const { value: who } = session;
  switch (who.state) {
    case "asking":
      return <Loading what="the studio" />;
    case "failed":
      return <NotServed error={who.error} />;
    case "out":
      return <SignIn />;
    case "in":
      return workspace.value === null ? <WorkspaceList /> : <Shell key={workspace.value} name={workspace.value} />;
    default:
      return who satisfies never;
  }
}
