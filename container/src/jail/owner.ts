/** Who commands run as, and so who owns the tree; null where the daemon cannot give anything away. */
export interface Owner {
  uid: number;
  gid: number;
}
