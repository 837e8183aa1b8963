/** The six views of a workspace. Files are part of the page; the others, and the heavy parts of each, load on first use. */
import type { ComponentType } from "preact";
import { FilesView } from "../files/files-view.tsx";
import type { View } from "../state/route.ts";
import type { IconName } from "../ui/icon.tsx";
import { lazy } from "../ui/lazy.tsx";

export interface ViewInfo {
  view: View;
  label: string;
  icon: IconName;
  Component: ComponentType;
}

export const viewInfos: readonly ViewInfo[] = [
  { view: "files", label: "Files", icon: "files", Component: FilesView },
  {
    view: "search",
    label: "Search",
    icon: "search",
    Component: lazy("Search", async () => (await import("../search/search-view.tsx")).SearchView),
  },
  {
    view: "terminal",
    label: "Terminal",
    icon: "terminal",
    Component: lazy("Terminal", async () => (await import("../terminal/terminal-view.tsx")).TerminalView),
  },
  {
    view: "git",
    label: "Git",
    icon: "git",
    Component: lazy("Git", async () => (await import("../git/git-view.tsx")).GitView),
  },
  {
    view: "activity",
    label: "Activity",
    icon: "activity",
    Component: lazy("Activity", async () => (await import("../activity/activity-view.tsx")).ActivityView),
  },
  {
    view: "dashboard",
    label: "Dashboard",
    icon: "dashboard",
    Component: lazy("Dashboard", async () => (await import("../dashboard/dashboard-view.tsx")).DashboardView),
  },
];
