export interface FetchOptions {
  fetch?: typeof fetch;
}
