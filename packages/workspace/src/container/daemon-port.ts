/** The daemon's port in its container. A separate file: the container class needs nothing else of a workspace. */
export const DAEMON_PORT = 7777;
