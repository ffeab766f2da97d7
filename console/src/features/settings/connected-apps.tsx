import { useQuery, useQueryClient } from "@tanstack/react-query";
import { disconnectApp, listApps } from "#client/gen/operations/keys.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../api/client.ts";
import { useAccess } from "../../api/use-session.ts";
import { plural } from "../../lib/format.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { RemoveButton } from "../../ui/removal.tsx";
import { Section, SectionEmpty, SectionRow } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";

type App = components["schemas"]["ConnectedApp"];

const KEY = ["apps"] as const;
/** How many the service lists. */
const MAX_LISTED = 500;

/** The programs that people connected by OAuth: one's own, for admins all of the workspace. */
export function ConnectedApps() {
  const { data } = useQuery({ queryKey: KEY, queryFn: () => call(listApps)() });
  if (data === undefined) return null;
  return (
    <Section title="Connected apps">
      {data.length === 0 && (
        <SectionEmpty>
          None. Add the URL {location.origin}/mcp in Claude, ChatGPT, VS Code or another MCP client.
        </SectionEmpty>
      )}
      <ul>
        {data.map((app) => (
          <ConnectedApp key={app.id} app={app} />
        ))}
      </ul>
      {data.length === MAX_LISTED && <SectionEmpty>There are more: these are the newest {MAX_LISTED}.</SectionEmpty>}
    </Section>
  );
}

function ConnectedApp({ app }: { readonly app: App }) {
  const client = useQueryClient();
  const { user } = useAccess();
  const { id, name } = app;
  async function disconnect(): Promise<void> {
    await call(disconnectApp)({ id });
    await client.invalidateQueries({ queryKey: KEY });
  }
  return (
    <SectionRow
      end={
        <RemoveButton
          size="small"
          blockedBy={undefined}
          removal={{
            title: `Disconnect ${name}?`,
            action: "Disconnect",
            effect: "It loses its access at once, and its calls end. Runs that they have started are cancelled.",
            remove: disconnect,
          }}
        >
          Disconnect<span className="sr-only"> {name}</span>
        </RemoveButton>
      }
    >
      <div className="min-w-0">
        <span dir="auto" className="block truncate font-medium">
          {visibleText(name)}
        </span>
        <span className="block text-small text-ink-3">
          {describeApp(app, user.id)}; connected <Time at={app.created_at} />,{" "}
          {app.last_used_at === null ? (
            "never used"
          ) : (
            <>
              used <Time at={app.last_used_at} />
            </>
          )}
        </span>
      </div>
    </SectionRow>
  );
}

function describeApp({ app, created_by: owner, person, scopes, agents }: App, userId: string): string {
  return [
    `Returns to ${visibleText(app.redirect_host)}`,
    owner === userId ? "yours" : `of ${visibleText(person)}`,
    scopes.includes("write") ? "read and write" : "read only",
    agents === null ? "all agents" : plural(agents.length, "agent"),
  ].join(", ");
}
