-- Receipts of erasures: what was removed, when and at whose word. They hold ids and numbers, nothing personal.
create table erasures (
  id uuid primary key,
  kind text not null check (kind in ('workspace', 'person')),
  -- The workspace or the person, of which nothing else is left.
  subject_id uuid not null unique,
  requested_at timestamptz not null default clock_timestamp(),
  -- The owner of the first workspace who asked for it; null: the operator at the machine.
  requested_by uuid,
  -- Until the end: the workspaces of the person.
  workspaces uuid[] not null default '{}',
  -- Removed rows by table.
  removed jsonb not null default '{}',
  ended_at timestamptz
);
create index erasures_open_idx on erasures (kind) where ended_at is null;
alter table erasures enable row level security;
