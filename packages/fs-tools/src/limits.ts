/**
 * Every limit of the tools, by name; a host may change any of them. Reaching one is reported in the result, with how to continue.
 */
export interface ToolLimits {
  readLines: number;
  readBytes: number;
  /** An image or PDF handed to the model as a file. */
  mediaBytes: number;
  /** How many bytes decide whether a file is text. */
  sniffBytes: number;
  writeBytes: number;
  editBytes: number;
  patchBytes: number;
  patchFiles: number;
  grepHits: number;
  grepLineBytes: number;
  grepContextLines: number;
  /** Of glob, list, find and tree. */
  entries: number;
  /** Maximum JSON bytes of a result with many entries. */
  answerBytes: number;
  treeDepth: number;
  treeMaxDepth: number;
  /** A diff inside a result. */
  diffBytes: number;
  execTimeoutMs: number;
  execMaxTimeoutMs: number;
  stdoutBytes: number;
  stderrBytes: number;
  gitBytes: number;
  fetchBytes: number;
  fetchTextBytes: number;
  fetchTimeoutMs: number;
  fetchRedirects: number;
  searchResults: number;
  agentDepth: number;
  agentsPerParent: number;
  messageBytes: number;
  messageQueue: number;
  /** Between two agents. */
  messagesPerMinute: number;
  /** From one agent to all others together. */
  messagesPerSenderMinute: number;
  proposals: number;
  /** Contents of all of an actor's proposals: every call loads them. */
  proposalBytes: number;
  mcpBytes: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const defaultToolLimits: ToolLimits = {
  readLines: 2000,
  readBytes: 256 * KIB,
  mediaBytes: 3 * MIB,
  sniffBytes: 512,
  writeBytes: 2 * MIB,
  editBytes: 2 * MIB,
  patchBytes: 2 * MIB,
  patchFiles: 1000,
  grepHits: 200,
  grepLineBytes: KIB,
  grepContextLines: 50,
  entries: 1000,
  answerBytes: 256 * KIB,
  treeDepth: 2,
  treeMaxDepth: 5,
  diffBytes: 16 * KIB,
  execTimeoutMs: 60_000,
  execMaxTimeoutMs: 600_000,
  stdoutBytes: 32 * KIB,
  stderrBytes: 32 * KIB,
  gitBytes: 64 * KIB,
  fetchBytes: 500_000,
  fetchTextBytes: 100_000,
  fetchTimeoutMs: 20_000,
  fetchRedirects: 5,
  searchResults: 5,
  agentDepth: 5,
  agentsPerParent: 20,
  messageBytes: 100_000,
  messageQueue: 1000,
  messagesPerMinute: 10,
  messagesPerSenderMinute: 60,
  proposals: 1000,
  proposalBytes: 16 * MIB,
  mcpBytes: 256 * KIB,
};

/** The tool::* family's output caps for commands: 100 KB of stdout, 50 KB of stderr, two minutes. */
export const generousExecLimits: Partial<ToolLimits> = {
  stdoutBytes: 100_000,
  stderrBytes: 50_000,
  execTimeoutMs: 120_000,
};
