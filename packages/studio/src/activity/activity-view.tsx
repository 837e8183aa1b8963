export function ActivityView() {
  return <p>soon</p>;
}
