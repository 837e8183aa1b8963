/** The workspace in numbers: size, activity over time, and the cost of each kind of call. */
import { useEffect } from "preact/hooks";
import { readStats, type StatsResponse } from "../api/workspaces.ts";
import { feedRevision } from "../state/feed.ts";
import { workspace } from "../state/route.ts";
import { Button } from "../ui/button.tsx";
import { formatAge, formatCount, formatSize } from "../ui/format.ts";
import { Failure, Loading } from "../ui/message.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { ConnectCard } from "./connect-snippets.tsx";
import { CostTable } from "./cost-table.tsx";
import { HourPlot } from "./hour-plot.tsx";
import "./dashboard.css";

export function DashboardView() {
  const name = workspace.value as string;
  const { value: stats, error, reload } = useLoaded((signal) => readStats(name, signal), [name]);
  const turn = feedRevision.value;
  useEffect(() => {
    const timer = setTimeout(reload, 1000);
    return () => clearTimeout(timer);
  }, [turn, reload]);
  if (stats === undefined)
    return error === undefined ? (
      <Loading what="the dashboard" />
    ) : (
      <Failure what="The dashboard" error={error} retry={reload} />
    );
  return (
    <div class="dashboard">
      <header class="dashboard-head">
        <h2>{name}</h2>
        <span class="faint">counting since {formatAge(stats.since)}</span>
        <span class="grow" />
        <Button kind="quiet" icon="refresh" label="Refresh" onClick={reload} />
      </header>
      <dl class="figures">
        {figures(stats).map(({ label, value, note }) => (
          <div key={label} class="figure">
            <dt>
              {label}
              {note !== "" && `, ${note}`}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section class="card" aria-labelledby="plot-title">
        <h3 id="plot-title">Changes per hour, last 48 hours</h3>
        <HourPlot hours={stats.operations} now={Date.now()} />
      </section>
      <section class="card" aria-labelledby="cost-title">
        <h3 id="cost-title">Cost per kind of call</h3>
        <CostTable costs={stats.costs} />
      </section>
      <ConnectCard name={name} />
    </div>
  );
}

function figures({ bytes, files, directories, symlinks, databaseBytes, operations }: StatsResponse) {
  const changes = operations.reduce((sum, hour) => sum + hour.changes, 0);
  return [
    { label: "Size of files", value: formatSize(bytes), note: "" },
    { label: "Files", value: formatCount(files), note: symlinks > 0 ? `and ${formatCount(symlinks)} links` : "" },
    { label: "Folders", value: formatCount(directories), note: "" },
    { label: "Database", value: formatSize(databaseBytes), note: "with history" },
    { label: "Changes", value: formatCount(changes), note: "in 48 hours" },
  ];
}
