/** Topics of scenarios that `npm test` plays; `npm run test:long` plays the others. */
export const EVERYDAY = new Set([
  "add",
  "clean",
  "commit",
  "conflicts",
  "diff",
  "ignore",
  "log",
  "merge",
  "refs",
  "remove-and-move",
  "stash",
  "status",
]);
