-- muster: concurrently
create index concurrently if not exists runs_all_conversations_idx on runs (agent_id, created_at desc, id desc)
  where conversation is not null and agent_id is not null
    and (source_kind in ('console', 'channel') or (source_kind = 'fork' and attempt > 1));
