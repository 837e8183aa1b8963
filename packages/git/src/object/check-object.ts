/** Validates that bytes are an object of a type, as git does before it stores user input; throws git's messages. */
import { GitError } from "../errors.ts";
import type { ObjectType } from "../odb/object-database.ts";
import { parseCommit } from "./commit.ts";
import { ZERO_OID } from "./oid.ts";
import { parseTag } from "./tag.ts";
import { parseTree } from "./tree.ts";

export function checkObject(type: ObjectType, body: Uint8Array): void {
  try {
    if (type === "tree") parseTree(body);
    else if (type === "commit") parseCommit(body);
    else if (type === "tag") parseTag(body);
  } catch (error) {
    if (type === "tree")
      throw new GitError(
        "EINVAL",
        (error as Error).message.replace(/^bogus tree object: /, () => ""),
        { cause: error },
      );
    if (type === "tag") {
      const odd = /unknown type '(.+)'$/s.exec((error as Error).message)?.[1];
      const reported =
        odd === undefined ? "corrupt tag" : `unknown tag type '${odd}' in ${ZERO_OID}\nfatal: corrupt tag`;
      throw new GitError("EINVAL", reported, { ...(odd === undefined ? {} : { prefix: "error" }), cause: error });
    }
    throw new GitError("EINVAL", `bogus commit object ${ZERO_OID}\nfatal: corrupt commit`, {
      prefix: "error",
      cause: error,
    });
  }
}
