export function DashboardView() {
  return <p>soon</p>;
}
