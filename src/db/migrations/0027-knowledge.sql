-- Knowledge: bases of documents that agents search. A document's text is kept as passages, which are found by
-- their words (full-text search) and, where a vendor has embedded them, by their meaning.
--
-- Passages are made to be shared: whatever is searched like this is a row of `passages` under a scope, which for
-- knowledge is its base.

create table knowledge_bases (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  description text not null default '' check (length(description) <= 10000),
  -- `provider/model`, `none`, or null for what the instance's setting says.
  embedding_model text check (length(embedding_model) between 1 and 300),
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create index knowledge_bases_newest_idx on knowledge_bases (workspace_id, created_at desc);

create table knowledge_documents (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  knowledge_base_id uuid not null,
  name text not null check (length(name) between 1 and 300),
  format text not null check (format in ('text', 'markdown', 'html', 'csv', 'json', 'pdf', 'docx')),
  media_type text not null,
  size bigint not null check (size >= 0),
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  status text not null default 'pending' check (status in ('pending', 'processing', 'ready', 'failed')),
  -- Why it failed.
  error text,
  -- What is not as it could be, although it is ready: its passages could not be embedded.
  warning text,
  -- Percent of the current attempt.
  progress smallint not null default 0 check (progress between 0 and 100),
  -- How often it was processed, this time included; what an earlier attempt still writes is not taken.
  attempt integer not null default 1,
  -- How many executions have begun this attempt: one that ends its process again and again is given up.
  executions integer not null default 0,
  passages integer not null default 0,
  -- The space of its embeddings, `provider/model/dimensions`; null: it has none.
  space text,
  -- The original, in the store of blobs.
  blob_key text not null,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  constraint knowledge_documents_base_fkey foreign key (workspace_id, knowledge_base_id)
    references knowledge_bases (workspace_id, id) on delete cascade
);
create index knowledge_documents_newest_idx on knowledge_documents (workspace_id, created_at desc);
create index knowledge_documents_base_idx on knowledge_documents (knowledge_base_id, created_at desc);
create trigger knowledge_documents_keep after insert on knowledge_documents
  for each row execute function keep_blob();
create trigger knowledge_documents_let_go after delete on knowledge_documents
  for each row execute function let_blob_go();

-- The lexeme that walls a scope of a workspace off. No text gives such a one: no word has a space in it.
create function scope_lexeme(workspace uuid, scope uuid) returns text
  language sql immutable strict parallel safe return workspace || ' ' || scope;

-- What a passage is found by: its words in English stems (words of other languages as they are), those of its
-- heading with more weight, and where it belongs, so that one index serves both questions.
create function passage_vector(workspace uuid, scope uuid, heading text, content text) returns tsvector
  language sql immutable parallel safe
  return setweight(to_tsvector('pg_catalog.english', coalesce(heading, '')), 'B')
    || to_tsvector('pg_catalog.english', content)
    || array_to_tsvector(array[scope_lexeme(workspace, scope)]);

create table passages (
  id uuid not null,
  workspace_id uuid not null,
  -- The knowledge base, or whatever else is searched as one.
  scope uuid not null,
  document_id uuid,
  -- Its place in the document, from 0.
  position integer not null,
  -- The heading under which it stands, and the page on which it begins; null where there are none.
  heading text,
  page integer,
  content text not null,
  search tsvector not null generated always as (passage_vector(workspace_id, scope, heading, content)) stored,
  primary key (id, workspace_id),
  -- A passage is stored once, however often its step is done.
  unique (document_id, position),
  constraint passages_document_fkey foreign key (workspace_id, document_id)
    references knowledge_documents (workspace_id, id) on delete cascade
);
-- What a search weighs is read as it is stored: unpacking it would cost more than the rest of the search.
alter table passages set (toast_tuple_target = 8160);
create index passages_search_idx on passages using gin (search) with (fastupdate = off);
create index passages_scope_idx on passages (scope);

-- Apart from the passages, so that a look at all of a scope's vectors reads little: `signs` is a vector's
-- signs, one bit each, and enough to find the nearest few hundred; `embedding` (of length 1) then ranks those.
create table passage_embeddings (
  passage_id uuid primary key,
  workspace_id uuid not null,
  scope uuid not null,
  space text not null,
  signs bit varying not null,
  embedding real[] not null,
  constraint passage_embeddings_passage_fkey foreign key (passage_id, workspace_id)
    references passages (id, workspace_id) on delete cascade
);
alter table passage_embeddings alter column embedding set storage external;
create index passage_embeddings_signs_idx on passage_embeddings (scope, space) include (workspace_id, passage_id, signs);

alter table knowledge_bases enable row level security;
create policy tenant on knowledge_bases using (workspace_id is not distinct from (select current_workspace_id()));
alter table knowledge_documents enable row level security;
create policy tenant on knowledge_documents using (workspace_id is not distinct from (select current_workspace_id()));
alter table passages enable row level security;
create policy tenant on passages using (workspace_id is not distinct from (select current_workspace_id()));
alter table passage_embeddings enable row level security;
create policy tenant on passage_embeddings using (workspace_id is not distinct from (select current_workspace_id()));
grant select on knowledge_bases, knowledge_documents, passages, passage_embeddings to muster_viewer;
grant insert, update, delete on knowledge_bases, knowledge_documents, passages, passage_embeddings to muster_app;

create function lexeme_query(lexeme text) returns tsquery
  language sql immutable strict parallel safe
  return ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''')::tsquery;

-- The passages of these scopes that have the words of a question, best first. `documents` narrows them to some.
--
-- It reads past row security, which would keep the planner from the index of words, so it has its own wall: the
-- workspace of the transaction is part of the lexemes that it asks for. It gives ids only, which row security still guards.
--
-- A word counts the more, the fewer passages have it (its weight is that of BM25); a passage counts the more,
-- the more often it has the word. Passages to be weighed are those with one of the rare words, and those with
-- all of the words: so a question with common words does not weigh every passage there is.
create function search_passages(question text, scopes uuid[], documents uuid[], most integer)
  returns table (id uuid, score double precision)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  -- Passages that are counted of one word, and weighed in all.
  enough constant integer := 1000;
  weights constant real[] := '{0.1, 0.3, 0.3, 0.3}';
  wall tsquery := (
    select string_agg(lexeme_query(scope_lexeme(current_workspace_id(), scope))::text, ' | ')::tsquery
    from unnest(scopes) scope);
  total bigint;
  words tsquery[];
  counts bigint[];
  rare text;
  every text;
begin
  if wall is null then return; end if;
  select count(*) into total from (
    select from passages p where p.scope = any (scopes) and p.workspace_id is not distinct from current_workspace_id()
    limit enough) p;
  select array_agg(c.word order by c.n, c.word::text), array_agg(c.n order by c.n, c.word::text) into words, counts
  from (
    select w.word, (select count(*) from (select from passages p where p.search @@ (wall && w.word) limit enough) p) as n
    from (select lexeme_query(lexeme) as word from unnest(to_tsvector('pg_catalog.english', question)) limit 32) w
  ) c where c.n > 0;
  if words is null then return; end if;
  select string_agg(w.word::text, ' | ') filter (where w.n = 1 or w.running <= enough), string_agg(w.word::text, ' & ')
  into rare, every
  from (
    select word, row_number() over () as n, sum(count) over (rows unbounded preceding) as running
    from unnest(words, counts) as t (word, count)
  ) w;
  return query
    with found as materialized (
      (select p.id from passages p where p.search @@ (wall && every::tsquery)
        and (documents is null or p.document_id = any (documents)) limit enough)
      union
      (select p.id from passages p where p.search @@ (wall && rare::tsquery)
        and (documents is null or p.document_id = any (documents)) limit enough)
    )
    select p.id, weighed.score
    from found
    join passages p on p.id = found.id
    cross join lateral (
      select sum(ln(1 + (total - t.count + 0.5) / (t.count + 0.5))::double precision * ts_rank(weights, p.search, t.word, 1)) as score
      from unnest(words, counts) as t (word, count)
    ) weighed
    order by weighed.score desc, p.id
    limit most;
end $$;
revoke execute on function search_passages from public;
grant execute on function search_passages to muster_viewer;

-- Hands an attempt to read a document to the durable engine, as enqueue_run does for tasks.
create function enqueue_ingest(document knowledge_documents, workflow json) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if document.workspace_id is distinct from current_workspace_id() then
    raise exception 'A document belongs to the workspace of its transaction.' using errcode = '42501';
  end if;
  return dbos.enqueue_workflow(
    workflow_name => workflow->>'name',
    queue_name => workflow->>'queue',
    application_name => workflow->>'application',
    app_version => workflow->>'version',
    workflow_id => document.id || '.' || document.attempt,
    queue_partition_key => document.workspace_id::text,
    priority => 1,
    positional_args => array[json_build_object(
      'workspaceId', document.workspace_id, 'documentId', document.id, 'attempt', document.attempt)]);
end $$;
revoke execute on function enqueue_ingest from public;
grant execute on function enqueue_ingest to muster_app;

-- The bases that an agent is restricted to, which stand in a list: these two do what references would.
-- A base that agents name stays: without it they would be restricted to nothing, or to nothing less than all.
create function check_knowledge_bases() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
declare
  known bigint;
begin
  select count(*) into known from (
    select from knowledge_bases b
    where b.id = any (new.knowledge_base_ids) and b.workspace_id is not distinct from new.workspace_id
    order by b.id for key share) b;
  if known < (select count(distinct id) from unnest(new.knowledge_base_ids) id) then
    raise foreign_key_violation using constraint = 'agents_knowledge_base_ids_fkey', table = 'agents',
      message = 'An agent names a knowledge base that its workspace does not have.';
  end if;
  return new;
end $$;
create trigger agents_check_knowledge_bases before insert or update of knowledge_base_ids on agents
  for each row when (new.knowledge_base_ids <> '{}') execute function check_knowledge_bases();

create function keep_named_knowledge_base() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- When the whole workspace goes, its row is gone by now.
  if exists (select from workspaces w where w.id = old.workspace_id)
    and exists (select from agents a where a.workspace_id = old.workspace_id and old.id = any (a.knowledge_base_ids)) then
    raise foreign_key_violation using constraint = 'agents_knowledge_base_ids_fkey', table = 'knowledge_bases',
      message = 'Agents name this knowledge base.';
  end if;
  return old;
end $$;
create trigger knowledge_bases_named before delete on knowledge_bases
  for each row execute function keep_named_knowledge_base();

create view knowledge_base_records with (security_invoker = true) as
  select b.id, b.workspace_id, b.name, b.description, b.embedding_model,
    (select count(*)::integer from knowledge_documents d where d.knowledge_base_id = b.id) as documents,
    b.created_by, iso(b.created_at) as created_at, iso(b.updated_at) as updated_at
  from knowledge_bases b;

create view knowledge_document_records with (security_invoker = true) as
  select d.id, d.workspace_id, d.knowledge_base_id, d.name, d.format, d.media_type, d.size, d.tags,
    d.status, d.error, d.warning, d.progress, d.attempt, d.passages, d.space as embeddings,
    d.created_by, iso(d.created_at) as created_at, iso(d.updated_at) as updated_at
  from knowledge_documents d;
grant select on knowledge_base_records, knowledge_document_records to muster_viewer;

-- As before, with the knowledge bases.
create or replace function agent_snapshot(agent agents) returns json
  language sql stable
  return json_build_object(
    'id', agent.id,
    'version', agent.version,
    'name', agent.name,
    'provider', agent.provider,
    'model', agent.model,
    'fallback_model', agent.fallback_model,
    'system_prompt', agent.system_prompt,
    'temperature', agent.temperature,
    'max_tokens', agent.max_tokens,
    'tools', agent.tools,
    'knowledge_base_ids', agent.knowledge_base_ids,
    'config', agent.config,
    'voice', coalesce(
      (select jsonb_build_object('tone', v.tone, 'custom_instructions', v.custom_instructions,
          'output_format_hints', v.output_format_hints)
        from voice_profiles v
        where v.id = agent.voice_profile_id and v.workspace_id is not distinct from current_workspace_id()),
      agent.voice_profile),
    'template', coalesce(
      (select jsonb_build_object('type', t.type, 'body', t.body)
        from output_templates t
        where t.id = agent.output_template_id and t.workspace_id is not distinct from current_workspace_id()),
      agent.output_template));
