/** Addresses with a user and a password in them, ours beside real git: where they may be read afterwards, and what is said of them. */
import { compareAll, type Step, start, startServers } from "./transport-harness.ts";

const passwords: Record<string, Step[]> = {
  "a password in the address of a clone": [
    ...start,
    "clone <secret>/server.git clone",
    "reflog",
    "config remote.origin.url",
    "fetch",
    "push origin HEAD:refs/heads/other",
  ],
  "a password in the address of a fetch": [
    ...start,
    "clone -q <server>/server.git clone",
    "fetch <secret>/server.git +main:mine",
    "reflog mine",
    "fetch <secret>/nothing.git",
    "push <secret>/nothing.git",
  ],
  "a password in the address of a pull": [
    ...start,
    "clone -q -b side <server>/server.git clone",
    "commit -q --allow-empty -m mine",
    "pull --no-rebase <secret>/server.git main",
    "log -1 --format=%B",
    "reset -q --hard HEAD~1",
  ],
  "a password in the address of a push": [
    ...start,
    "clone -q <server>/server.git clone",
    "push <secret>/server.git main~1:main",
    "push --porcelain <secret>/server.git main:again",
    "push <secret>/server.git nothing",
  ],
  "a password in an address that insteadOf leads to": [
    ...start,
    "clone -q <server>/server.git clone",
    "config url.<secret>/.insteadOf short:",
    "fetch short:server.git main",
    "push short:server.git main:more",
  ],
  "a password in an address, when it is refused": [
    ...start,
    "clone -q <secret>/server.git clone",
    "-c transfer.credentialsInUrl=die fetch",
    "-c transfer.credentialsInUrl=die push",
    "-c transfer.credentialsInUrl=die ls-remote",
    "-c transfer.credentialsInUrl=die clone <secret>/server.git other",
    "-c transfer.credentialsInUrl=perhaps fetch",
    "-c transfer.credentialsInUrl=allow fetch",
  ],
};

startServers();
compareAll(passwords);
