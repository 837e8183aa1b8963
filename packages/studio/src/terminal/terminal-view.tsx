export function TerminalView() {
  return <p>soon</p>;
}
