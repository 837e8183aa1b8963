/** The list of all routes, grouped by family. */
import { aboutEndpoints } from "./about-routes.ts";
import { archiveEndpoints } from "./archive/archive-routes.ts";
import { changeEndpoints } from "./changes-routes.ts";
import { execEndpoints } from "./exec/exec-routes.ts";
import { fileEndpoints } from "./files/file-routes.ts";
import { gitEndpoints } from "./git-routes.ts";
import { historyEndpoints } from "./history-routes.ts";
import { portEndpoints } from "./ports-routes.ts";
import type { Route } from "./route.ts";
import { searchEndpoints } from "./search-routes.ts";
import { sessionEndpoints } from "./session-routes.ts";
import { snapshotEndpoints } from "./snapshots-routes.ts";
import { statsEndpoints } from "./stats-routes.ts";
import { toolEndpoints } from "./tools-routes.ts";
import { treeEndpoints } from "./tree-routes.ts";
import { workspaceEndpoints } from "./workspaces-routes.ts";

const families: readonly (readonly Route[])[] = [
  sessionEndpoints,
  workspaceEndpoints,
  fileEndpoints,
  treeEndpoints,
  searchEndpoints,
  changeEndpoints,
  gitEndpoints,
  archiveEndpoints,
  toolEndpoints,
  execEndpoints,
  portEndpoints,
  historyEndpoints,
  snapshotEndpoints,
  statsEndpoints,
];
const routes = families.flat();

export const endpoints: readonly Route[] = aboutEndpoints(routes);
