import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { ROW_LINK } from "../../ui/row-link.ts";
import { Section, SectionRow } from "../../ui/section.tsx";
import { StateIcon } from "../../ui/state.tsx";
import { useLostAccounts } from "./queries.ts";

/** The accounts at MCP servers that their owner must connect again: yours, and for admins the workspace's. */
export function LostAccounts() {
  const { slug } = useWorkspace();
  const isAdmin = useBlockedBy("admin") === undefined;
  const lost = (useLostAccounts().data ?? []).filter(({ oauth }) => isAdmin || oauth?.account === "person");
  if (lost.length === 0) return null;
  return (
    <Section title="Sign in again">
      <ul>
        {lost.map(({ id, name, oauth }) => (
          <SectionRow
            key={id}
            end={
              <span className="text-ink-3">
                {oauth?.account === "person" ? "your account" : "the workspace's account"}
              </span>
            }
          >
            <StateIcon state="failed" decorative />
            <Link
              to="/w/$workspace/protocols"
              params={{ workspace: slug }}
              search={{ tab: "mcp", id }}
              className={ROW_LINK}
            >
              {name}
            </Link>
          </SectionRow>
        ))}
      </ul>
    </Section>
  );
}
