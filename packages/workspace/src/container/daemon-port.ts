/** Where the daemon listens in its container. A file of its own: the container class needs nothing else of a workspace. */
export const DAEMON_PORT = 7777;
