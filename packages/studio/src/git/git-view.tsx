export function GitView() {
  return <p>soon</p>;
}
