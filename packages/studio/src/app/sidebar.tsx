/** Links to the views: the back button and "open in a new tab" work. */
import { route, routeHash } from "../state/route.ts";
import { tabs } from "../state/tabs.ts";
import { Icon } from "../ui/icon.tsx";
import "./sidebar.css";
import { viewInfos } from "./views.tsx";

export function Sidebar() {
  const { workspace, view } = route.value;
  const unsaved = tabs.value.filter((tab) => tab.dirty.value).length;
  return (
    <nav class="rail" aria-label="Views">
      {viewInfos.map((info) => (
        <a
          key={info.view}
          href={routeHash({ workspace, view: info.view, path: info.view === "files" ? lastFile() : "" })}
          aria-current={view === info.view ? "page" : undefined}
        >
          <Icon name={info.icon} size={20} />
          <span>{info.label}</span>
          {info.view === "files" && unsaved > 0 && (
            <span class="rail-dot" title={`${unsaved} unsaved`}>
              <span class="visually-hidden">{unsaved} unsaved</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}

let remembered = "";
/** Returning to the files reopens the last open file. */
function lastFile(): string {
  const { view, path } = route.value;
  if (view === "files") remembered = path;
  return tabs.value.some((tab) => tab.path === remembered) ? remembered : "";
}
