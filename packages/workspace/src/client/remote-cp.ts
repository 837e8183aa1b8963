/**
 * `cp`. A filter is a function, and functions cross RPC as callbacks: the object calls it once per entry and then copies everything
 * in one transaction. Walking here and sending a list would decide about a tree that may have changed meanwhile.
 */
import { type CpOptions, optionsOf } from "@workspace/vfs";
import type { RpcClient } from "./rpc-client.ts";

export async function remoteCp(
  connection: RpcClient,
  from: string,
  to: string,
  options: CpOptions = {},
): Promise<void> {
  const { filter, ...rest } = optionsOf<CpOptions>("cp", options, from);
  if (filter === undefined) {
    await connection.call("cp", [from, to, rest]);
    return;
  }
  let broken: { error: unknown } | undefined;
  const ask = async (source: string, destination: string): Promise<boolean> => {
    try {
      return Boolean(await filter(source, destination));
    } catch (error) {
      broken = { error };
      throw error;
    }
  };
  try {
    await connection.call("cp", [from, to, rest], { filter: ask });
  } catch (error) {
    throw broken === undefined ? error : broken.error;
  }
}
