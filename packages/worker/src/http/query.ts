/** Query parameters by name, each at most once. One that the route does not know is refused: a mistyped `recursive` is not "no". */
import { HttpError } from "../errors/http-error.ts";

export function queryOf<const Name extends string>(url: string, names: readonly Name[]): Partial<Record<Name, string>> {
  const query: Partial<Record<Name, string>> = {};
  for (const [name, value] of new URL(url).searchParams) {
    if (!names.includes(name as Name))
      throw new HttpError("EINVAL", `unknown query parameter "${name}"`, { hint: known(names) });
    if (name in query)
      throw new HttpError("EINVAL", `the query parameter "${name}" comes twice`, { hint: known(names) });
    query[name as Name] = value;
  }
  return query;
}

export function flagOf(name: string, value: string | undefined): boolean {
  if (value === undefined || value === "0" || value === "false") return false;
  if (value === "" || value === "1" || value === "true") return true;
  throw new HttpError("EINVAL", `"${name}" must be 1 or 0`, { hint: `Write ?${name}=1, or leave it out.` });
}

function known(names: readonly string[]): string {
  return names.length === 0 ? "Here there are none." : `Here there are: ${names.join(", ")}.`;
}
