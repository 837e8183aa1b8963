export interface SearchOptions {
  fetch?: typeof fetch;
}
