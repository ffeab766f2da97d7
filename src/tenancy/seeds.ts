import type { Client } from "pg";
import { newId } from "#lib/ids.ts";

/** What the rows hang on. */
export interface SeedIds {
  readonly workspaceId: string;
  readonly ownerId: string;
  readonly agentId: string;
  readonly teamId: string;
  readonly doneTask: string;
  readonly waitingTask: string;
  readonly pendingTask: string;
  readonly interactionId: string;
  readonly rows: "all" | "lasting";
}

/**
 * Puts a row of a workspace into each table. A new table with a workspace_id gets a statement here. `$1` is the workspace,
 * `$2` an agent of it, `$3` and `$4` are fresh ids, and `$5` is a text that no other row has. `$6` is a task that is done,
 * `$7` one that waits for a person, `$8` one that is pending, `$9` a team, `$10` the owner, and `$11` the question.
 */
const SEEDS: readonly string[] = [
  `insert into agents (id, workspace_id, name, model, provider, tools, created_by)
   values ($2, $1, 'Worker', 'demo', 'demo', '{request_approval}', $10)`,
  `insert into teams (id, workspace_id, name, mode, config)
   values ($9, $1, 'Crew', 'pipeline', json_build_object('steps', json_build_array(json_build_object('agent_id', $2::uuid))))`,
  `insert into team_members (id, workspace_id, team_id, agent_id, role, position) values ($3, $1, $9, $2, 'worker', 0)`,
  `insert into provider_keys (workspace_id, provider, ciphertext, last4) values ($1, 'openai', $5, 'none') on conflict do nothing`,
  `insert into tasks (id, workspace_id, title, status, assigned_agent_id, result, started_at, completed_at, created_by)
   values ($6, $1, 'Done', 'completed', $2, 'done', now(), now(), $10)`,
  `insert into tasks (id, workspace_id, title, status) values ($8, $1, 'Pending', 'pending')`,
  `insert into tasks (id, workspace_id, title, status, assigned_agent_id, started_at, interaction)
   values ($7, $1, 'Waiting', 'waiting_for_input', $2, now(),
     json_build_object('interactionId', $11::uuid, 'type', 'approval', 'title', 'Go?', 'expiresAt', null))`,
  `insert into task_questions (subject_id, workspace_id, interaction_id, tool_call_id, deadline, question, answer_key)
   values ($7, $1, $11, 'call', 'infinity',
     '{"kind":"prompt","prompt":{"type":"approval","title":"Go?"},"timeoutMs":86400000}', 'answer:result:call')`,
  `insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, input)
   values ($3, $1, 'task', $7, 1, 1, 'suspended', '{}')`,
  `insert into task_streams (log_id, workspace_id, attempt, last_seq, closed)
   values ($6, $1, 1, 2, true), ($7, $1, 1, 1, false) on conflict do nothing`,
  `insert into task_events (log_id, seq, workspace_id, attempt, event)
   values ($6, 1, $1, 1, '{}'), ($7, 1, $1, 1, '{}')`,
  `insert into run_steps (run_id, attempt, key, workspace_id, result) values ($6, 1, 'model:0', $1, '{}')`,
  `insert into usage_records (id, workspace_id, task_id, agent_id, attempt, step, provider, model, prompt_tokens,
     completion_tokens, estimated_cost_usd, billing_model)
   values ($3, $1, $6, $2, 1, 0, 'demo', 'demo', 1, 1, 0, 'per-token')`,
  `insert into run_executions (run_id, attempt, fence, workspace_id, process, began_at, outcome)
   values ($6, 1, 1, $1, $5, now(), 'finished')`,
  `insert into agent_threads (workspace_id, agent_id, thread_id, task_id)
   values ($1, $2, $5, $6)`,
  `with agent as (
     insert into remote_agents (id, workspace_id, base_url, card, token_ciphertext)
     values ($3, $1, 'https://localhost/' || $5, '{}', $5) returning id
   )
   insert into remote_calls (workspace_id, key, remote_agent_id, subject_id) select $1, $5, id, $4 from agent`,
  `insert into push_configs (id, workspace_id, task_id, name, url, version, secrets_ciphertext)
   values ($3, $1, $8, 'seed', 'https://localhost/', '1.0', $5)`,
  `insert into push_receivers (workspace_id, host, prover_id) values ($1, $5, $3)`,
  `insert into a2a_messages (workspace_id, task_id, message_id, effect)
   values ($1, $6, $5, 'start')`,
  `with server as (
     insert into mcp_servers (id, workspace_id, name, url, headers_ciphertext, timeout_ms, info)
     values ($3, $1, 'seed', 'https://localhost/' || $5, $5, 1000,
       '{"protocolVersion":"2026-07-28","transport":"streamable_http"}') returning id
   )
   insert into mcp_tools (workspace_id, server_id, name, position, description, input_schema, annotations)
   select $1, id, 'seed', 0, '', '{"type":"object"}', '{}' from server`,
  `insert into mcp_accounts (id, workspace_id, server_id, user_id, name, tokens_ciphertext)
   select $3, $1, s.id, m.user_id, 'seed', $5 from mcp_servers s join members m using (workspace_id)
   where workspace_id = $1 order by m.user_id limit 1`,
  `insert into mcp_account_tools (workspace_id, server_id, user_id, name, position, description, input_schema, annotations, hash)
   select $1, server_id, user_id, 'seed', 0, '', '{"type":"object"}', '{}', '' from mcp_accounts
   where workspace_id = $1 limit 1`,
  `insert into mcp_sign_ins (id, workspace_id, server_id, user_id, state_hash, flow_ciphertext, expires_at)
   select $3, $1, s.id, m.user_id, $5, $5, 'infinity' from mcp_servers s join members m using (workspace_id)
   where workspace_id = $1 limit 1`,
  `insert into period_sums values ($1, $4, 'hour', now(), 1, 0, 0, '{"0":1}', '{}', 1, 0)`,
  `insert into usage_days values ($1, now(), $4, null, 'demo', $5, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)`,
  `insert into live_viewers (workspace_id, seen_at) values ($1, 'infinity')`,
  `insert into closed_questions (interaction_id, workspace_id, subject_id, state, request, asked_at, deadline)
   values ($3, $1, $4, 'expired', '{}', now(), now())`,
  `insert into golden_cases (id, workspace_id, agent_id, name, source_run_id, source_attempt, input, tools, result, expected,
     feedback, checks, cost_usd, tokens, duration_ms)
   values ($3, $1, $2, $5, $6, 1, '{"title":"Done","description":"","conversation":null,"clientTools":null,"files":0}',
     '[]', 'done', 'done', '[]', '[{"type":"exact"}]', 0, 0, 0)`,
  `with tried as (
     insert into golden_runs (id, workspace_id, agent_id, candidate, model) values ($3, $1, $2, '{}', 'demo') returning id
   )
   insert into golden_results (golden_run_id, case_id, workspace_id, position, name, before, run_id, status, ended_at)
   select id, $4, $1, 1, $5, json_build_object('result', $5, 'expected', $5, 'tools', '[]'::json, 'cost_usd', 0, 'tokens', 0,
     'duration_ms', 0), $6, 'passed', now() from tried`,
  `insert into golden_gates (agent_id, workspace_id, required) values ($2, $1, 'none')`,
  `insert into question_votes (interaction_id, user_id, workspace_id, subject_id, approved, via)
   select $3, user_id, $1, $4, true, 'api' from members where workspace_id = $1 limit 1`,
  `insert into approved_tools (agent_id, tool, workspace_id) select id, $5, $1 from agents where workspace_id = $1 limit 1`,
  `insert into answer_links (token_hash, workspace_id, interaction_id, subject_id, created_by)
   select $5, $1, $3, $4, user_id from members where workspace_id = $1 limit 1`,
  `insert into run_links (id, token_hash, workspace_id, run_id, attempt, shows_steps, shows_cost, created_by, expires_at)
   select $3, $5, $1, $4, 1, true, true, user_id, 'infinity' from members where workspace_id = $1 limit 1`,
  `insert into agent_pages (id, workspace_id, agent_id, slug, title, limits)
   values ($3, $1, $2, 'seed-' || $3::uuid, 'Seed', '{"visitor_minute":1,"visitor_day":1,"address_minute":1,"address_day":1,
     "page_minute":1,"page_day":1,"message_chars":1,"file_bytes":1}')`,
  `insert into feedback (id, workspace_id, run_id, attempt, user_id, via, rating)
   select $3, $1, $4, 1, user_id, 'api', 'up' from members where workspace_id = $1 limit 1`,
  `insert into model_gate_waits (job_id, step, gate_id, provider, model, workspace_id, turn, until, ahead, reason)
   select id, $5, $5, 'openai', 'gpt-4o', $1, 0, now(), 0, 'limit' from jobs where workspace_id = $1`,
  `insert into voice_profiles (id, workspace_id, name, tone) values ($3, $1, 'Calm', 'Formal')`,
  `insert into output_templates (id, workspace_id, name, type, body) values ($3, $1, 'Plain', 'Markdown', '{{task_result}}')`,
  // Nothing of what tests do is delivered to these two.
  `insert into webhook_subscriptions (id, workspace_id, target_url, event, agent_id, secret_ciphertext)
   values ($3, $1, 'https://localhost/', 'team_run_failed', $2, $5)`,
  `insert into google_connections (id, workspace_id, email, tokens_ciphertext, expires_at, status)
   values ($3, $1, '', $5, now(), 'disabled')`,
  `insert into oauth_states (id, workspace_id, state_hash, user_id, redirect_uri, expires_at)
   select $3, $1, $5, user_id, '', 'infinity' from members where workspace_id = $1 limit 1`,
  `with channel as (
     insert into trello_channels (id, workspace_id, name, secret_ciphertext, is_active, assigned_agent_id, priority)
     values ($3, $1, 'Seed', $5, false, $2, 'low') returning id
   )
   insert into card_mappings (id, workspace_id, channel_id, card_id, task_id) select $4, $1, id, 'card', $3 from channel`,
  `with route as (
     insert into output_routes (id, workspace_id, name, type, events, is_active, config, secrets_ciphertext, host, retry_delays)
     values ($3, $1, 'Seed', 'http', '{task.completed}', false, '{"url":"https://localhost/"}', $5, 'localhost', '{5}')
     returning id
   ), written as (
     insert into channel_messages (id, workspace_id, route_id, message_key, channel, conversation, person_id, person_name,
       text, outcome, task_id, attempt)
     select $4, $1, route.id, $5, 'C', 'seed', 'U', 'Seed', $5, 'accepted', $6, 1 from route
   ), happened as (
     insert into delivery_events (id, workspace_id, event, attempt, title, worker, status, result, happened_at)
     values ($3, $1, 'task.completed', 1, 'Seed', 'Seed', 'completed', $5, now()) returning id
   ), delivery as (
     insert into deliveries (id, workspace_id, event_id, event, route_id, target_name, type, host, status)
     select $4, $1, happened.id, 'task.completed', route.id, 'Seed', 'http', 'localhost', 'success' from happened, route
     returning id
   )
   insert into delivery_attempts (id, workspace_id, delivery_id, attempt, status, request, response, duration_ms, created_at)
   select $4, $1, id, 1, 'success', '', '', 1, now() from delivery`,
  `with account as (insert into users (id, email, name) values ($3, $5, 'Seed') returning id)
   insert into service_accounts (id, workspace_id, name) select id, $1, 'Seed' from account`,
  `insert into invitations (id, workspace_id, email, role, token_hash, invited_by, expires_at)
   select $3, $1, 'guest@localhost.localdomain', 'member', $5, user_id, now() from members
   where workspace_id = $1 limit 1`,
  `insert into marketplace_installs (workspace_id, agent_id) values ($1, $2)`,
  `insert into idempotent_answers (workspace_id, key, request_hash, request_id, status, body_ciphertext)
   values ($1, 'seed', 'hash', 'req_0', 201, $5)`,
  `with team as (
     insert into teams (id, workspace_id, name, mode, config) values ($3, $1, 'Team', 'pipeline', '{"steps":[]}')
     returning id
   ), member as (
     insert into team_members (id, workspace_id, team_id, agent_id, role, position)
     select $4, $1, id, $2, 'worker', 0 from team
   ), run as (
     insert into team_runs (id, workspace_id, team_id, status, input_task)
     select $4, $1, id, 'completed', 'Work' from team returning id
   ), memory as (
     insert into team_memories (id, workspace_id, team_id, run_id, attempt, status, task, outcome)
     select $4, $1, id, $4, 1, 'completed', 'Work', $5 from team
   ), delegation as (
     insert into team_delegations (id, workspace_id, run_id, attempt, key, version, agent_id, instruction, status)
     select $4, $1, id, 1, 'd1', 1, $2, $5, 'accepted' from run
   )
   insert into team_messages (id, workspace_id, run_id, message_type, content)
   select $4, $1, id, 'system', $5 from run`,
  `with blob as (insert into unreferenced_blobs (key, delete_after) values ($5, 'infinity') returning key)
   insert into files (id, workspace_id, direction, name, type, size, blob_key)
   select $3, $1, 'input', 'seed.txt', 'text/plain', 1, key from blob`,
  `with made as (
     insert into budgets (id, workspace_id, scope, target_id, period, max_tokens, on_breach)
     values ($3, $1, 'agent', $2, 'month', 1000000000, 'ask') returning id, workspace_id
   ), opened as (
     insert into budget_windows (budget_id, key, workspace_id) select id, 'seed', workspace_id from made
   ), extended as (
     insert into budget_extensions (budget_id, run_id, attempt, answer, workspace_id, key)
     select id, $4, 1, $5, workspace_id, 'seed' from made
   )
   -- A service would soon charge it, were it older.
   insert into budget_reservations (id, workspace_id, run_id, attempt, step, budget_ids, keys, usd, tokens, created_at)
   select $4, workspace_id, $4, 1, $5, array[id], array['seed'], 0, 0, 'infinity' from made`,
  `insert into alerts (id, workspace_id, name, kind, threshold, agent_id, is_enabled)
   values ($3, $1, 'Seed', 'cost_per_hour', 5, $2, false)`,
  `with tool as (
     insert into custom_tools (id, workspace_id, name, description, parameters, url, method, headers_ciphertext, timeout_ms)
     values ($3, $1, 'seed', 'Seed', '{"type":"object","properties":{}}', 'https://localhost/', 'GET', $5, 1000)
     returning id
   )
   insert into custom_tool_calls (id, workspace_id, tool_id, duration_ms) select $4, $1, id, 1 from tool`,
  `with schedule as (
     insert into schedules (id, workspace_id, name, cron, time_zone, missed, overlap, is_active, assigned_agent_id, title,
       description, priority, metadata, next_times)
     values ($3, $1, 'Yearly', '0 0 1 1 *', 'UTC', 'once', 'allow', false, $2, 'T', '', 'low', '{}', '{}') returning id
   ), hook as (
     insert into triggers (id, workspace_id, name, token_hash, token_prefix, is_active, assigned_agent_id, title,
       description, priority, metadata)
     values ($4, $1, 'Hook', $5, 'mst_hook_', true, $2, 'T', '', 'low', '{}') returning id
   ), delivery as (
     insert into trigger_deliveries (id, workspace_id, trigger_id, body_hash, bytes, outcome)
     select $4, $1, id, $5, 0, 'refused' from hook
   )
   insert into schedule_fires (id, workspace_id, schedule_id, scheduled_at, outcome, ticks)
   select $4, $1, id, now(), 'missed', 1 from schedule`,
  `insert into task_event_pages (log_id, first_seq, last_seq, workspace_id, attempt, events, created_at)
   values ($6, 2, 2, $1, 1, array['{}'::json], now())`,
  `with blob as (insert into unreferenced_blobs (key, delete_after) values ('knowledge/scratch-' || $1, 'infinity'))
   insert into knowledge_bases (id, workspace_id, name) values ($3, $1, 'Base')`,
  `with document as (
     insert into knowledge_documents (id, workspace_id, knowledge_base_id, name, format, media_type, size, blob_key)
     select $3, $1, b.id, 'Document', 'text', 'text/plain', 1, 'knowledge/scratch-' || $1 from knowledge_bases b
     where b.workspace_id = $1 returning id, knowledge_base_id
   )
   insert into passages (id, workspace_id, scope, document_id, position, content)
   select $4, $1, knowledge_base_id, id, 0, 'Text' from document`,
  `insert into passage_embeddings (passage_id, workspace_id, scope, space, embedding)
   select id, $1, scope, 'v/m/2', '{1,-1}' from passages where workspace_id = $1`,
];

/** Rows that a running service takes, counts or sends: they are only made where nothing is committed. */
const PASSING: readonly string[] = [
  `insert into run_ends (run_id, attempt, workspace_id, hour, status, error_code, duration_bucket)
   values ($3, 1, $1, now(), 'completed', '', 0)`,
  `insert into trace_exports (subject_id, attempt, workspace_id, trace) values ($3, 0, $1, $5)`,
  `insert into request_counts (workspace_id, subject_id, period, surface, window_start, allowed, used, granted)
   values ($1, $3, 'minute', 'shared', now(), 1, 1, 1)`,
  // The next counted row deletes it.
  `insert into stored_changes (workspace_id, records, stored_bytes) values ($1, 0, 0)`,
];

/** Makes those rows; call it once per workspace. */
export async function seedTables(client: Client, ids: SeedIds): Promise<void> {
  const { workspaceId, agentId, doneTask, waitingTask, pendingTask, teamId, ownerId, interactionId } = ids;
  const runs = [doneTask, waitingTask, pendingTask, teamId, ownerId, interactionId];
  for (const seed of ids.rows === "all" ? [...SEEDS, ...PASSING] : SEEDS) {
    const given = [workspaceId, agentId, newId(), newId(), newId(), ...runs];
    const used = new Set([...seed.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
    const values = given.filter((_, index) => used.has(index + 1));
    await client.query(withTypes(seed, used), values);
  }
}

// PostgreSQL wants parameters to be numbered without a gap.
function withTypes(seed: string, used: ReadonlySet<number>): string {
  const numbers = [...used].toSorted((a, b) => a - b);
  return seed.replaceAll(
    /\$(\d+)/g,
    (_, n: string) => `$${numbers.indexOf(Number(n)) + 1}${n === "5" ? "::text" : "::uuid"}`,
  );
}
