/** Suites that load a server over HTTP. They bring their own Workers, and are read in Node alone; a new one is a folder and a line here. */
import { measureMcp } from "./mcp/measure-mcp.ts";

export interface ServerRun {
  /** A table, in Markdown. */
  text: string;
  /** For programs. */
  data: unknown;
}

export interface ServerSuite {
  name: string;
  title: string;
  measure(root: string, rounds: number, progress: (text: string) => void): Promise<ServerRun>;
}

export const serverSuites: readonly ServerSuite[] = [
  {
    name: "mcp",
    title: "MCP: calls a second on 8 connections, beside the official SDK's server and a bare Worker with one SQL row",
    measure: measureMcp,
  },
];
