import type { Requirements } from "./requirement.ts";

/** The table API in the dialect of PostgREST. */
export const tableApi = {
  "table-api.agents.list": {
    states: "GET /agents answers an array of agents, filtered by is_marketplace if asked.",
    source: "contract",
  },
  "table-api.agents.create": {
    states: "POST /agents takes name, model, provider, system_prompt and workspace_id.",
    source: "contract",
  },
  "table-api.agents.change": {
    states: "PATCH /agents changes the rows that id=eq. names.",
    source: "contract",
  },
  "table-api.agents.delete": {
    states: "DELETE /agents removes the rows that id=eq. names.",
    source: "contract",
  },
  "table-api.tasks.list": {
    states: "GET /tasks filters by status, priority, agent_id and id and orders.",
    source: "contract",
  },
  "table-api.tasks.create": {
    states: "POST /tasks takes title, description, agent_id, priority and workspace_id.",
    source: "contract",
  },
  "table-api.tasks.agent-id": {
    states: "The assigned agent is called agent_id here.",
    source: "contract",
  },
  "table-api.tasks.create-dispatches": {
    states: "A task created here with an agent is dispatched.",
    source: "contract",
  },
  "table-api.teams.list": {
    states: "GET /teams answers an array of teams.",
    source: "contract",
  },
  "table-api.teams.create": {
    states: "POST /teams takes name, description, mode and workspace_id.",
    source: "contract",
  },
  "table-api.team-runs.list": {
    states: "GET /team_runs filters by team_id and orders.",
    source: "contract",
  },
  "table-api.usage-records.list": {
    states: "GET /usage_records filters by created_at and orders.",
    source: "contract",
  },
  "table-api.rpc.install": {
    states: "POST /rpc/increment_install_count takes agent_row_id and installs that agent.",
    source: "contract",
  },
  "table-api.tables": {
    states:
      "agents, tasks, teams, team_members, team_runs, team_messages, usage_records, output_routes, delivery_logs, voice_profiles, output_templates, remote_agents and webhook_subscriptions can be read.",
    source: "decision",
  },
  "table-api.routes-written": {
    states: "output_routes and webhook_subscriptions are written by the rules of their own APIs.",
    source: "decision",
  },
  "table-api.secrets-hidden": {
    states: "No secret can be selected.",
    source: "decision",
  },
  "table-api.select.columns": {
    states: "select takes columns, aliases, * and one level of embedding.",
    source: "decision",
  },
  "table-api.filter.comparison": {
    states: "eq, neq, gt, gte, lt and lte compare.",
    source: "decision",
  },
  "table-api.filter.pattern": {
    states: "like and ilike match patterns.",
    source: "decision",
  },
  "table-api.filter.sets": {
    states: "in, is, cs and cd test sets, nulls and containment.",
    source: "decision",
  },
  "table-api.filter.logic": {
    states: "not, and and or combine filters.",
    source: "decision",
  },
  "table-api.order": {
    states: "order takes directions and the place of nulls.",
    source: "decision",
  },
  "table-api.range": {
    states: "limit, offset and Range choose rows.",
    source: "decision",
  },
  "table-api.prefer.return": {
    states: "Prefer: return chooses what a write answers.",
    source: "decision",
  },
  "table-api.prefer.count": {
    states: "Prefer: count=exact counts into Content-Range.",
    source: "decision",
  },
  "table-api.prefer.resolution": {
    states: "Prefer: resolution with on_conflict merges or ignores duplicates.",
    source: "decision",
  },
  "table-api.bulk-insert": {
    states: "An array inserts several rows; columns names those that count.",
    source: "decision",
  },
  "table-api.accept.object": {
    states: "Accept: application/vnd.pgrst.object+json answers one object.",
    source: "decision",
  },
  "table-api.accept.csv": {
    states: "Accept: text/csv answers CSV.",
    source: "decision",
  },
  "table-api.accept.profile": {
    states: "Accept-Profile: public is accepted.",
    source: "decision",
  },
  "table-api.head-and-options": {
    states: "HEAD and OPTIONS are answered.",
    source: "decision",
  },
  "table-api.client-library": {
    states: "The client @supabase/postgrest-js works unchanged.",
    source: "decision",
  },
  "table-api.error.body": {
    states: "An error has code, message, details and hint.",
    source: "contract",
  },
  "table-api.error.wording": {
    states: "Codes and wording are those of PostgREST and Postgres.",
    source: "decision",
  },
  "table-api.error.401": {
    states: "A missing or invalid key is 401.",
    source: "contract",
  },
  "table-api.error.403": {
    states: "A write to another workspace's row is 403 with code 42501.",
    source: "contract",
  },
  "table-api.error.404": {
    states: "An unknown table or function is 404.",
    source: "contract",
  },
  "table-api.error.409-duplicate": {
    states: "A duplicate key is 409 with code 23505.",
    source: "contract",
  },
  "table-api.error.409-reference": {
    states: "A reference to nothing is 409 with code 23503.",
    source: "decision",
  },
  "table-api.error.422": {
    states: "A body that breaks a rule is 422.",
    source: "contract",
  },
  "table-api.error.422-codes": {
    states: "Its codes are 23502, 23514, 22P02 and PGRST204.",
    source: "decision",
  },
  "table-api.error.400-query": {
    states: "A fault in the query's or the JSON's syntax is 400 with PGRST100, PGRST102 or 42703.",
    source: "decision",
  },
  "table-api.error.406": {
    states: "A single object that is not exactly one row is 406 with PGRST116.",
    source: "decision",
  },
  "table-api.error.416": {
    states: "A range beyond the rows is 416.",
    source: "decision",
  },
  "table-api.isolation.reads": {
    states: "Foreign rows are not found by reads.",
    source: "decision",
  },
  "table-api.isolation.no-match-204": {
    states: "PATCH and DELETE that match nothing are 204.",
    source: "decision",
  },
  "table-api.caps": {
    states: "The rows of an answer, of a body and of a change, and the length of a query are bounded.",
    source: "goal",
  },
  "table-api.statement-timeout": {
    states: "A slow statement is aborted with 57014, and one workspace leaves connections to the others.",
    source: "goal",
  },
  "table-api.no-unplanned-sql": {
    states: "SQL holds identifiers of our table list and placeholders only, whatever a query says.",
    source: "goal",
  },
  "table-api.singular-writes": {
    states: "A write that is to answer with one object changes nothing unless it is about exactly one row.",
    source: "decision",
  },
  "table-api.count-is-own": {
    states:
      "count=planned and count=estimated count the workspace's own rows; no statistics of the database are shown.",
    source: "decision",
  },
  "table-api.linear-time": {
    states: "Hostile values of a body are read in time linear to their length.",
    source: "goal",
  },
  "table-api.private-answers": {
    states: "Answers are not stored by caches and not sniffed by browsers.",
    source: "goal",
  },
  "table-api.csv-formulas": {
    states: "With Prefer: csv-formulas=escaped texts that a spreadsheet would compute get an apostrophe in front.",
    source: "goal",
  },
  "table-api.embed.many-to-many": {
    states: "Tables that a junction table connects are embedded in each other.",
    source: "decision",
  },
  "table-api.embed.levels": {
    states: "Embedded tables embed further ones, up to three levels; each list is bounded by the row cap.",
    source: "decision",
  },
  "table-api.embed.addressed": {
    states: "An embedded table with an alias is addressed by the alias or by its own name.",
    source: "decision",
  },
  "table-api.write.unchanged": {
    states: "A row that is sent back changes only in the fields that differ; read-only ones may be among the others.",
    source: "decision",
  },
  "table-api.apikey.table-key": {
    states: "A valid table key is accepted in apikey, for clients that hold one key.",
    source: "decision",
  },
  "table-api.openapi": {
    states: "GET /rest/v1/ answers PostgREST's OpenAPI document: paths, definitions and parameters.",
    source: "decision",
  },
  "table-api.options-allow": {
    states: "OPTIONS names in Allow the methods of a table, of a function and of the root.",
    source: "decision",
  },
} as const satisfies Requirements<"table-api">;
