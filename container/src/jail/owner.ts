/** The user that runs commands and owns the tree; null where the daemon cannot change ownership. */
export interface Owner {
  uid: number;
  gid: number;
}
