/** The guide's Think agent with a model that plays a script. */
import { Coder } from "./examples/think.ts";
import { type ScriptStep, scriptedModel } from "./scripted-model.ts";

export class ScriptedCoder extends Coder {
  #model = scriptedModel([]);

  override getModel() {
    return this.#model;
  }

  /** One turn of the agent; gives the results of its tools as the model saw them. */
  async play(prompt: string, steps: readonly ScriptStep[]): Promise<unknown[]> {
    this.#model = scriptedModel([...steps, { text: "done" }]);
    const { status } = await this.runTurn({ input: prompt });
    if (status !== "completed") throw new Error(`the turn ended as ${status}`);
    const messages = this.#model.doStreamCalls.at(-1)?.prompt ?? [];
    const results = messages.flatMap(({ role, content }) => (role === "tool" ? content : []));
    return results.map((result) => ("output" in result && "value" in result.output ? result.output.value : null));
  }
}
