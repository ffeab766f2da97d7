-- A page of an agent: whoever opens its address talks to the agent, without an account. It is off until an admin switches
-- it on. A visitor is a random token in a browser: its hash is part of the ids of the visitor's threads (agent_threads).
create table agent_pages (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  agent_id uuid not null,
  -- The last part of its address, unique in the instance.
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$'),
  is_on boolean not null default false,
  title text not null check (length(title) between 1 and 100),
  greeting text not null default '',
  prompts text[] not null default '{}',
  takes_files boolean not null default false,
  -- The origins of the sites that may show it in a frame.
  origins text[] not null default '{}',
  -- A keyed hash of the code that visitors must enter; null without one.
  code_hash text,
  has_code boolean not null generated always as (code_hash is not null) stored,
  limits jsonb not null,
  -- Part of the visitors' tokens and threads: raising it ends all of them.
  generation integer not null default 1,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint agent_pages_slug_key unique (slug),
  constraint agent_pages_agent_key unique (agent_id),
  constraint agent_pages_agent_fkey foreign key (workspace_id, agent_id) references agents (workspace_id, id)
    on delete cascade
);
create index agent_pages_workspace_idx on agent_pages (workspace_id, created_at desc, id desc);
create index agent_pages_created_by_idx on agent_pages (created_by);
alter table agent_pages enable row level security;
create policy tenant on agent_pages using (workspace_id is not distinct from (select current_workspace_id()));
create policy reach on agent_pages as restrictive to muster_reach_viewer using (false);
grant select (id, workspace_id, agent_id, slug, is_on, title, greeting, prompts, takes_files, origins, has_code, limits,
  generation, created_by, created_at, updated_at) on agent_pages to muster_viewer;
-- The names of what created a run, and of what a budget is for.
grant select (id, title) on agent_pages to muster_reach_viewer;
grant insert, delete on agent_pages to muster_admin;
grant update (slug, is_on, title, greeting, prompts, takes_files, origins, code_hash, limits, generation, updated_at)
  on agent_pages to muster_admin;

-- A page has budgets of its own, and its runs name it as their source.
alter table budgets drop constraint budgets_scope_check,
  add constraint budgets_scope_check check (scope in ('workspace', 'agent', 'team', 'run', 'page'));
alter table runs drop constraint runs_source_kind_check,
  add constraint runs_source_kind_check
    check (source_kind in ('api', 'console', 'schedule', 'trigger', 'a2a', 'mcp', 'fork', 'page')) not valid;
