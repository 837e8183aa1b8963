/** Which paths stay in the container: ignore rules that the workspace sends, and the workspace's own directory always. */
import { IgnoreStack, parseIgnore } from "@workspace/glob";
import { PRIVATE_DIRECTORY } from "@workspace/protocol";

export class Policy {
  readonly text: string;
  readonly #rules: IgnoreStack;

  constructor(text: string) {
    this.text = text;
    this.#rules = new IgnoreStack().add("", "ignore", parseIgnore(text, "policy"));
  }

  staysHere(path: string, isDirectory: boolean): boolean {
    if (path === PRIVATE_DIRECTORY || path.startsWith(`${PRIVATE_DIRECTORY}/`)) return true;
    return this.#rules.ignored(path, isDirectory).ignored;
  }
}
