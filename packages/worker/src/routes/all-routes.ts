/** The list of all routes, grouped by family. */
import { aboutRoutes } from "./about-routes.ts";
import { archiveRoutes } from "./archive/archive-routes.ts";
import { changeRoutes } from "./changes-routes.ts";
import { execRoutes } from "./exec/exec-routes.ts";
import { fileRoutes } from "./files/file-routes.ts";
import { gitRoutes } from "./git-routes.ts";
import { historyRoutes } from "./history-routes.ts";
import { portRoutes } from "./ports-routes.ts";
import type { Route } from "./route.ts";
import { searchRoutes } from "./search-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { snapshotRoutes } from "./snapshots-routes.ts";
import { statsRoutes } from "./stats-routes.ts";
import { toolRoutes } from "./tools-routes.ts";
import { treeRoutes } from "./tree-routes.ts";
import { workspaceRoutes } from "./workspaces-routes.ts";

const families: readonly (readonly Route[])[] = [
  sessionRoutes,
  workspaceRoutes,
  fileRoutes,
  treeRoutes,
  searchRoutes,
  changeRoutes,
  gitRoutes,
  archiveRoutes,
  toolRoutes,
  execRoutes,
  portRoutes,
  historyRoutes,
  snapshotRoutes,
  statsRoutes,
];
const all = families.flat();

export const routes: readonly Route[] = aboutRoutes(all);
