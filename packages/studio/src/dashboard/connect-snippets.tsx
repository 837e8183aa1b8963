/** Snippets for connecting to this workspace, with this server's address and the workspace's name filled in. */
import { notify } from "../state/notices.ts";
import { session } from "../state/session.ts";
import { Button } from "../ui/button.tsx";

export function ConnectCard({ name }: { name: string }) {
  const local = session.value.state === "in" && session.value.who.local;
  return (
    <section class="card" aria-labelledby="ways-title">
      <h3 id="ways-title">Other ways to connect</h3>
      <ul class="ways">
        {connectSnippets(location.origin, name, local).map(([label, line]) => (
          <li key={label} class="way">
            <span>{label}</span>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
            <code class="code" tabIndex={0}>
              {line}
            </code>
            <Button kind="quiet" icon="copy" label={`Copy the line for ${label}`} onClick={() => copy(line)} />
          </li>
        ))}
      </ul>
      {!local && <p class="ways-note">Each needs a token. POST /api/tokens creates one for this workspace only.</p>}
    </section>
  );
}

export function connectSnippets(origin: string, name: string, local: boolean): [label: string, line: string][] {
  const token = local ? "" : ' -H "Authorization: Bearer $TOKEN"';
  const header = local ? "" : ' --header "Authorization: Bearer $TOKEN"';
  return [
    ["HTTP", `curl${token} ${origin}/api/w/${name}/files/`],
    ["Command line", `npm run -s cli -- ls --url ${origin} -W ${name}`],
    ["Claude Code", `claude mcp add --transport http workspace ${origin}/mcp/${name}${header}`],
    ["Worker", `getWorkspace(env.WORKSPACE, ${JSON.stringify(name)})`],
  ];
}

async function copy(line: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(line);
    notify({ kind: "good", text: "Copied." });
  } catch {
    notify({ kind: "bad", text: "The browser blocks copying from this page. Select the line and copy it." });
  }
}
