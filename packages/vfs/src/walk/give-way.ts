/** Lets other requests in. */
export function giveWay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
