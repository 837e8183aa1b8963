export function SearchView() {
  return <p>soon</p>;
}
