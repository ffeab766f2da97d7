import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { cost, plural } from "../../lib/format.ts";
import { stateOf } from "../../lib/run-state.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { PagedList } from "../../ui/paged-list.tsx";
import { Section, SectionEmpty, SectionRow } from "../../ui/section.tsx";
import { StateIcon } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import { useConversations } from "./queries.ts";

/** What people have said to the agent before, newest first: each conversation is a URL. */
export function ConversationList({ agentId }: { readonly agentId: string }) {
  const { slug } = useWorkspace();
  return (
    <Section title="Conversations">
      <PagedList
        pages={useConversations(agentId)}
        empty={<SectionEmpty>None yet. What you say below starts the first one.</SectionEmpty>}
      >
        {(rows) => (
          <ul>
            {rows.map(({ id, title, status, replies, created_by: by, created_at: at, cost_usd: usd }) => (
              <SectionRow
                key={id}
                end={
                  <span className="text-small whitespace-nowrap">
                    <span className="max-sm:hidden">{plural(replies, "reply", "replies")} · </span>
                    {cost(usd)} · <Time at={at} />
                  </span>
                }
              >
                <StateIcon state={stateOf({ kind: "task", status })} />
                <Link
                  to="/w/$workspace/agents/$id"
                  params={{ workspace: slug, id: agentId }}
                  search={{ tab: "try", thread: id }}
                  dir="auto"
                  className="min-w-0 truncate font-medium after:absolute after:inset-0 hover:underline"
                >
                  {visibleText(title)}
                </Link>
                {by !== null && (
                  <span className="max-w-32 shrink-0 truncate text-small text-ink-3 max-lg:hidden">{by.name}</span>
                )}
              </SectionRow>
            ))}
          </ul>
        )}
      </PagedList>
    </Section>
  );
}
