import type { Requirements } from "./requirement.ts";

/** The table API in the dialect of PostgREST. */
export const tableApi = {
  "table-api.agents.list": {
    states: "GET /agents returns an array of agents, optionally filtered by is_marketplace.",
    source: "contract",
  },
  "table-api.marketplace.listed": {
    states:
      "GET /agents?is_marketplace=eq.true lists the listed agents of all workspaces; of others' agents every private column is null.",
    source: "decision",
  },
  "table-api.marketplace.relation": {
    states: "Further filters, orders, counts and pages apply to the listed agents of all workspaces.",
    source: "decision",
  },
  "table-api.marketplace.no-oracle": {
    states: "No filter, order, cast or embedding reveals a private column of another workspace's agent.",
    source: "decision",
  },
  "table-api.marketplace.only-reads": {
    states: "Writes, and reads without the filter is_marketplace=eq.true, keep to the workspace's own agents.",
    source: "decision",
  },
  "table-api.agents.create": {
    states: "POST /agents takes name, model, provider, system_prompt and workspace_id.",
    source: "contract",
  },
  "table-api.agents.change": {
    states: "PATCH /agents changes the rows that match id=eq.",
    source: "contract",
  },
  "table-api.delete.together": {
    states: "DELETE deletes all rows that match by one statement.",
    source: "goal",
  },
  "table-api.agents.delete": {
    states: "DELETE /agents deletes the rows that match id=eq.",
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
    states: "The table API calls the assigned agent agent_id.",
    source: "contract",
  },
  "table-api.tasks.create-dispatches": {
    states: "A task that the table API creates with an agent is dispatched.",
    source: "contract",
  },
  "table-api.teams.list": {
    states: "GET /teams returns an array of teams.",
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
    states: "order takes directions and the position of nulls.",
    source: "decision",
  },
  "table-api.range": {
    states: "limit, offset and Range choose rows.",
    source: "decision",
  },
  "table-api.prefer.return": {
    states: "Prefer: return chooses the response to a write.",
    source: "decision",
  },
  "table-api.prefer.count": {
    states: "Prefer: count=exact returns the count in Content-Range.",
    source: "decision",
  },
  "table-api.prefer.resolution": {
    states: "Prefer: resolution with on_conflict merges or ignores duplicates.",
    source: "decision",
  },
  "table-api.bulk-insert": {
    states: "An array inserts several rows; columns lists the columns that apply.",
    source: "decision",
  },
  "table-api.accept.object": {
    states: "Accept: application/vnd.pgrst.object+json returns one object.",
    source: "decision",
  },
  "table-api.accept.csv": {
    states: "Accept: text/csv returns CSV.",
    source: "decision",
  },
  "table-api.accept.profile": {
    states: "Accept-Profile: public is accepted.",
    source: "decision",
  },
  "table-api.head-and-options": {
    states: "HEAD and OPTIONS are supported.",
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
    states: "A reference to a missing row is 409 with code 23503.",
    source: "decision",
  },
  "table-api.error.422": {
    states: "A body that breaks a rule is 422.",
    source: "contract",
  },
  "table-api.error.422-codes": {
    states: "The codes of a 422 are 23502, 23514, 22P02 and PGRST204.",
    source: "decision",
  },
  "table-api.error.400-query": {
    states: "A syntax error in the query or the JSON is 400 with PGRST100, PGRST102 or 42703.",
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
    states: "Reads never return foreign rows.",
    source: "decision",
  },
  "table-api.isolation.no-match-204": {
    states: "PATCH and DELETE without a matching row are 204.",
    source: "decision",
  },
  "table-api.forgotten-filter": {
    states: "PATCH and DELETE without a filter are 400 with code 21000 and change nothing.",
    source: "decision",
  },
  "table-api.digits": {
    states: "Integers above 2^53 keep their digits in JSON and CSV, and in texts.",
    source: "goal",
  },
  "table-api.caps": {
    states: "The rows of a response, of a body and of a change, and the length of a query are limited.",
    source: "goal",
  },
  "table-api.statement-timeout": {
    states: "A slow statement is aborted with 57014, and one workspace leaves connections to the others.",
    source: "goal",
  },
  "table-api.no-unplanned-sql": {
    states: "SQL contains only identifiers of our table list and placeholders, for any query.",
    source: "goal",
  },
  "table-api.singular-writes": {
    states: "A write whose response is one object changes nothing unless it affects exactly one row.",
    source: "decision",
  },
  "table-api.count-is-own": {
    states: "count=planned and count=estimated count the workspace's own rows and reveal no database statistics.",
    source: "decision",
  },
  "table-api.linear-time": {
    states: "Hostile values in a body are parsed in linear time.",
    source: "goal",
  },
  "table-api.private-answers": {
    states: "Responses forbid caching and content sniffing.",
    source: "goal",
  },
  "table-api.csv-formulas": {
    states: "With Prefer: csv-formulas=escaped, texts that a spreadsheet would evaluate get an apostrophe as prefix.",
    source: "goal",
  },
  "table-api.embed.many-to-many": {
    states: "Tables that a junction table connects can be embedded in each other.",
    source: "decision",
  },
  "table-api.embed.levels": {
    states: "Embedded tables embed further ones, up to three levels; the row cap limits each list.",
    source: "decision",
  },
  "table-api.embed.addressed": {
    states: "An embedded table with an alias is addressed by the alias or by its own name.",
    source: "decision",
  },
  "table-api.write.unchanged": {
    states: "A row that is sent back changes only in the fields that differ; unchanged fields may be read-only.",
    source: "decision",
  },
  "table-api.apikey.table-key": {
    states: "A valid table key is accepted in apikey, for clients that hold one key.",
    source: "decision",
  },
  "table-api.openapi": {
    states: "GET /rest/v1/ returns PostgREST's OpenAPI document: paths, definitions and parameters.",
    source: "decision",
  },
  "table-api.options-allow": {
    states: "OPTIONS lists in Allow the methods of a table, of a function and of the root.",
    source: "decision",
  },
} as const satisfies Requirements<"table-api">;
