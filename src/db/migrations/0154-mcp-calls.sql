-- muster: concurrently
create index concurrently if not exists runs_mcp_calls_idx on runs (source_id, created_at desc, id desc)
  where source_kind = 'mcp' and kind = 'task' and parent_id is null;
