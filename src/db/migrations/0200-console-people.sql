-- What the console needs of workspaces and sessions.

-- What people set for a workspace.
-- paused: no queued task or team run starts; what runs goes on.
-- answer_links: whether members may create links that answer one question.
-- log_url, trace_url: templates of links to an operator's own tools; they name {run_id} and its like.
alter table workspaces
  add column slug text,
  add column paused boolean not null default false,
  add column answer_links boolean not null default false,
  add column log_url text,
  add column trace_url text;
grant update (paused, answer_links, log_url, trace_url) on workspaces to muster_admin;

-- Every slug that a workspace has or had: an old one still leads to it, and no other workspace gets it.
-- The reference is checked at the commit: a workspace claims its slug before its own row exists.
create table workspace_slugs (
  slug text primary key,
  workspace_id uuid not null references workspaces on delete cascade deferrable initially deferred,
  created_at timestamptz not null default now()
);
create index workspace_slugs_workspace_id_idx on workspace_slugs (workspace_id);
alter table workspace_slugs enable row level security;
create policy tenant on workspace_slugs using (workspace_id is not distinct from (select current_workspace_id()));

-- A name as a part of a URL: its Latin letters without accents, and its digits. One that looks like an id gets a
-- prefix, since URLs take ids in the place of slugs.
create function slug_of(name text) returns text language sql immutable parallel safe as $$
  select case when slug ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then 'w-' || slug
    when slug = '' then 'workspace' else slug end
  from (select btrim(left(regexp_replace(lower(regexp_replace(normalize(name, NFKD), U&'[\0300-\036F]', '', 'g')),
    '[^a-z0-9]+', '-', 'g'), 40), '-') as slug) as made
$$;

-- A slug for a workspace of this name: that of the name if no other workspace has or had it, else with random
-- characters behind it, one more at every attempt.
create function claim_slug(workspace uuid, name text) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  candidate text := slug_of(name);
  tries integer := 2;
begin
  loop
    insert into workspace_slugs (slug, workspace_id) values (candidate, workspace) on conflict do nothing;
    if exists (select from workspace_slugs s where s.slug = candidate and s.workspace_id = workspace) then
      return candidate;
    end if;
    tries := tries + 1;
    candidate := slug_of(name) || '-' || left(replace(gen_random_uuid()::text, '-', ''), tries);
  end loop;
end $$;
revoke execute on function claim_slug from public;

create function set_workspace_slug() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' or slug_of(new.name) <> slug_of(old.name) then
    new.slug := claim_slug(new.id, new.name);
  end if;
  return new;
end $$;
revoke execute on function set_workspace_slug from public;

update workspaces set slug = claim_slug(id, name);
alter table workspaces alter column slug set not null;
alter table workspaces add constraint workspaces_slug_key unique (slug);
create trigger workspaces_slug before insert or update of name on workspaces
  for each row execute function set_workspace_slug();

-- A refresh token is good until a token that was given for it has been used: the answer that brought its successor
-- may have been lost. spent_at: when that use happened, or that of a token given in its stead.
alter table refresh_tokens rename column replaced_at to spent_at;
alter index refresh_tokens_replaced_at_idx rename to refresh_tokens_spent_at_idx;
alter table refresh_tokens add column given_for text;
