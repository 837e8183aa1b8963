/** git for a principal with a policy: it runs no commands, and reaches only the hosts that commands in the Worker may reach. */

import type { GitSettings } from "../git/workspace-git.ts";
import { type NetworkPolicy, restrictedFetch } from "./network-policy.ts";

export function confineGit({ run: _, ...settings }: GitSettings, network: NetworkPolicy): GitSettings {
  const reach = settings.fetch ?? ((input, init) => fetch(input, init));
  return { ...settings, fetch: restrictedFetch(network, reach) };
}
