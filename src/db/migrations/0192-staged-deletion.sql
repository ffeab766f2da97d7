-- A workspace is deleted in stages: first it is marked, so that nobody has access to it any more; then its rows go in
-- small transactions, and its own row last.
alter table workspaces add column deleted_at timestamptz;
create index workspaces_deleted_idx on workspaces (id) where deleted_at is not null;

create or replace function keep_named_knowledge_base() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- When the whole workspace goes, nobody will miss it.
  if exists (select from workspaces w where w.id = old.workspace_id and w.deleted_at is null)
    and exists (select from agents a where a.workspace_id = old.workspace_id and old.id = any (a.knowledge_base_ids)) then
    raise foreign_key_violation using constraint = 'agents_knowledge_base_ids_fkey', table = 'knowledge_bases',
      message = 'Agents name this knowledge base.';
  end if;
  return old;
end $$;
