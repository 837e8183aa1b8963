import {
  createEditTool,
  createExecTool,
  createGrepTool,
  createReadTool,
  createWriteTool,
  WorkspaceFileStore,
} from "@cloudflare/fs-tools";
import { Workspace } from "@cloudflare/workspace";
import { Agent } from "agents";
import { generateText, isStepCount, type LanguageModel, streamText } from "ai";

/** An agent whose model reads, writes, edits, searches and runs commands in the agent's own workspace. */
export class ToolsAgent extends Agent {
  workspace = new Workspace({ storage: this.ctx.storage });

  tools() {
    const store = new WorkspaceFileStore(this.workspace);
    return {
      read: createReadTool({ store }),
      write: createWriteTool({ store }),
      edit: createEditTool({ store }),
      grep: createGrepTool({ workspace: this.workspace }),
      exec: createExecTool({ workspace: this.workspace, allowedCommands: ["ls", "cat", "node"] }),
    };
  }

  async work(model: LanguageModel, prompt: string): Promise<string> {
    const { text } = await generateText({ model, prompt, tools: this.tools(), stopWhen: isStepCount(20) });
    return text;
  }

  /** The same, streamed. */
  follow(model: LanguageModel, prompt: string): AsyncIterable<string> {
    return streamText({ model, prompt, tools: this.tools(), stopWhen: isStepCount(20) }).textStream;
  }
}
