import type { AgentChanges } from "#domain/agents/agent-changes.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { FIRST_ID, pageValues } from "../row-pages.ts";
import type { PageRequest, PageStart } from "../row-pages.ts";
import { statement } from "../../statement.ts";

// A fork is a conversation of its own once it was continued; before, it is a reply of the other one.
const LIST = statement({
  name: "list-conversations",
  text: `
    with found as (
      select t.id, t.created_at, row_number() over (order by t.created_at desc, t.id desc) as n
      from runs t
      where t.agent_id = $1 and t.conversation is not null
        and (t.source_kind in ('console', 'channel') or (t.source_kind = 'fork' and t.attempt > 1))
        and ($2::timestamptz is null or (t.created_at, t.id) < ($2, coalesce($3::uuid, ${FIRST_ID})))
      order by t.created_at desc, t.id desc limit $4::integer + 1
    )
    select (select a.id from agents a where a.id = $1) as agent,
      coalesce((select string_agg(row_to_json(r)::text, ',' order by p.n)
        from found p cross join lateral (
          select t.id, title_of(t) as title, t.status, t.attempt as replies,
            (select json_build_object('id', u.id, 'name', u.name) from users u where u.id = t.created_by) as created_by,
            iso(t.created_at) as created_at, iso(t.updated_at) as updated_at,
            (select coalesce(sum(u.estimated_cost_usd), 0)::double precision
              from usage_records u where u.task_id = t.id) as cost_usd
          from runs t where t.id = p.id) r
        where p.n <= $4), '') as items,
      (select json_build_object('createdAt', iso(p.created_at), 'id', p.id) from found p
        where p.n = $4 and (select count(*) from found) > $4) as next`,
});

/** A page of conversations, as JSON. */
export interface ConversationPage {
  /** The records separated by commas, newest first. */
  readonly items: JsonText;
  readonly next: PageStart | null;
}

/** Lists the conversations of people with an agent; undefined when the workspace has no such agent. */
export async function listConversations(
  db: WorkspaceDatabase,
  { agentId, ...page }: PageRequest & { readonly agentId: string },
): Promise<ConversationPage | undefined> {
  const [row] = await db.query<ConversationPage & { agent: string | null }>(LIST, [agentId, ...pageValues(page)]);
  return row === undefined || row.agent === null ? undefined : { items: row.items, next: row.next };
}

const FACTS = statement({
  name: "read-conversation-facts",
  text: `
    select t.fork->'agent' as changes, (t.fork->>'of_version')::integer as "ofVersion",
      t.agent_version as "newestVersion",
      (select coalesce(json_agg(json_build_object('attempt', v.attempt, 'version', v.version)), '[]') from (
        select u.attempt, max(u.agent_version) as version from usage_records u where u.task_id = t.id group by u.attempt
      ) v) as versions,
      (select coalesce(json_agg(json_build_object('id', f.id, 'attempt', (f.fork->>'attempt')::integer,
          'status', f.status, 'created_at', iso(f.created_at)) order by f.created_at), '[]') from (
        select * from runs f where f.fork is not null and f.fork->>'task_id' = $1::text
        order by f.created_at desc limit 100) f) as reruns
    from runs t where t.id = $1::uuid`,
});

/** What a conversation has besides its run and its messages. */
export interface ConversationFacts {
  /** Fields of the agent that have other values in this run; null without any. */
  readonly changes: AgentChanges | null;
  /** The version of the agent that was changed. */
  readonly ofVersion: number | null;
  /** The version in the newest attempt; null when it was changed. */
  readonly newestVersion: number | null;
  readonly versions: readonly { readonly attempt: number; readonly version: number | null }[];
  /** The newest 100 forks, oldest first, with the attempts that they fork. */
  readonly reruns: readonly {
    readonly id: string;
    readonly attempt: number;
    readonly status: string;
    readonly created_at: string;
  }[];
}

/** Reads them; undefined when the workspace has no such run. */
export async function readConversationFacts(tx: Transaction, id: string): Promise<ConversationFacts | undefined> {
  const [row] = await tx.query<ConversationFacts>(FACTS, [id]);
  return row;
}
