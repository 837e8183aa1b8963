/**
 * The user that commands run as and that owns the tree; null where the daemon cannot change
 * ownership.
 */
export interface Owner {
  uid: number;
  gid: number;
}
