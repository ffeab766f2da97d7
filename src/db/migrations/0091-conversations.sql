-- The conversations that people hold with an agent in the console: without it, their list walks all runs of the agent.
create index runs_conversations_idx on runs (agent_id, created_at desc, id desc)
  where conversation is not null and agent_id is not null
    and (source_kind = 'console' or (source_kind = 'fork' and attempt > 1));
