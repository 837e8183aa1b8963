/** Suites that load a server over HTTP. They bring their own Workers, and are read in Node alone; a new one is a folder and a line here. */
import { measureGitMemory } from "./git-memory/measure-git-memory.ts";
import { measureHttp } from "./http/measure-http.ts";
import { measureMcp } from "./mcp/measure-mcp.ts";
import { measureStartup } from "./startup/measure-startup.ts";
import { measureSync } from "./sync/measure-sync.ts";

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
    name: "http",
    title: "HTTP: file reads and writes on 8 connections, and the live feed, beside a bare Worker with one SQL row",
    measure: measureHttp,
  },
  {
    name: "mcp",
    title: "MCP: calls a second on 8 connections, beside the official SDK's server and a bare Worker with one SQL row",
    measure: measureMcp,
  },
  {
    name: "sync",
    title: "Container and sync: a command's cost, syncs, files and bytes each way",
    measure: measureSync,
  },
  {
    name: "git-memory",
    title: "Git: resident memory of a clone, in a fresh workerd and in wsgit on Node",
    measure: measureGitMemory,
  },
  {
    name: "startup",
    title: "Start-up: processor time of a fresh workerd up to its first answer",
    measure: measureStartup,
  },
];
