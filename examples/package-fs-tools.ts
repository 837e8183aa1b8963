import { createToolset, InMemoryFileStore } from "@cloudflare/fs-tools";

const toolset = await createToolset({ store: new InMemoryFileStore() });
await toolset.handle("write", { path: "/workspace/a.md", content: "hello\n" });
export const { structured } = await toolset.handle("read", { path: "/workspace/a.md" });

export const schemas = toolset.schemas("anthropic"); // or "openai", "mcp", "json"
export const tools = toolset.tools(); // for the AI SDK's generateText({ tools })
