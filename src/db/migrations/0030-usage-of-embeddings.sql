-- Usage of embeddings: each call of a vendor has a record, as the turns of models do. It belongs to a task or a team's
-- run where it was made in one, and only to the workspace where a document was read or a person searched.

-- The turn of the model in which it was used, from 0; null for embeddings.
alter table usage_records alter column step drop not null;

-- A run that is read alone comes with what its current attempt has used, turn by turn; embeddings are no model calls.
create or replace view team_run_details with (security_invoker = true) as
  select r.*,
    (select coalesce(json_agg(json_build_object('id', m.id, 'run_id', m.run_id,
        'sender_agent_id', m.sender_agent_id, 'receiver_agent_id', m.receiver_agent_id,
        'message_type', m.message_type, 'content', m.content, 'metadata', m.metadata, 'step_idx', m.step_idx,
        'tokens_used', m.tokens_used, 'created_at', iso(m.created_at)) order by m.created_at, m.id), '[]')
      from team_messages m where m.run_id = r.id and m.attempt = r.attempt) as messages,
    (select coalesce(json_agg(json_build_object('id', d.id, 'run_id', d.run_id, 'key', d.key,
        'agent_id', d.agent_id, 'instruction', d.instruction, 'status', d.status, 'result', d.result,
        'error', d.error, 'score', d.score, 'revisions', d.revisions, 'tokens_used', d.tokens_used,
        'created_at', iso(d.created_at), 'updated_at', iso(d.updated_at)) order by length(d.key), d.key), '[]')
      from team_delegations d where d.run_id = r.id and d.attempt = r.attempt) as delegations,
    (select coalesce(json_agg(json_build_object('turn', s.turn, 'agent_id', s.agent_id, 'model_calls', s.model_calls,
        'prompt_tokens', s.prompt_tokens, 'completion_tokens', s.completion_tokens,
        'total_tokens', s.prompt_tokens + s.completion_tokens, 'cost_usd', s.cost_usd) order by s.first), '[]')
      from (
        select u.turn, u.agent_id, count(u.step) as model_calls, sum(u.prompt_tokens) as prompt_tokens,
          sum(u.completion_tokens) as completion_tokens, sum(u.estimated_cost_usd)::double precision as cost_usd,
          min(u.id::text) as first
        from usage_records u where u.team_run_id = r.id and u.attempt = r.attempt and u.turn is not null
        group by u.turn, u.agent_id) s) as usage_by_turn
  from team_run_records r;
