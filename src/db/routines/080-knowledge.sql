-- Knowledge: functions, triggers and views.

create or replace function lexeme_query(lexeme text) returns tsquery
  language sql immutable strict parallel safe
  return ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''')::tsquery;

-- An agent lists the knowledge bases that it is restricted to. This trigger and knowledge_base_deleted replace
-- references. A base that agents name cannot be deleted: without it an agent would have no base, or access to all of
-- them.
create or replace function check_knowledge_bases() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
declare
  known bigint;
begin
  if is_moving() then return new; end if;
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

create or replace trigger agents_check_knowledge_bases before insert or update of knowledge_base_ids on agents
  for each row when (new.knowledge_base_ids <> '{}') execute function check_knowledge_bases();

create or replace view knowledge_base_records with (security_invoker = true) as
  select b.id, b.workspace_id, b.name, b.description, b.embedding_model,
    (select count(*)::integer from knowledge_documents d where d.knowledge_base_id = b.id) as documents,
    b.created_by, iso(b.created_at) as created_at, iso(b.updated_at) as updated_at
  from knowledge_bases b;
grant select on knowledge_base_records to muster_viewer;

create or replace view knowledge_document_records with (security_invoker = true) as
  select d.id, d.workspace_id, d.knowledge_base_id, d.name, d.format, d.media_type, d.size, d.tags,
    d.status, d.error, d.warning, d.progress, d.attempt, d.passages, d.space as embeddings,
    d.created_by, iso(d.created_at) as created_at, iso(d.updated_at) as updated_at
  from knowledge_documents d;
grant select on knowledge_document_records to muster_viewer;

-- Indexes the pending entries; until then each search reads all of them. Only the owner of an index may do this.
create or replace function index_pending_passages() returns void
  language sql security definer set search_path = public, pg_temp as $$
  select gin_clean_pending_list('passages_search_idx');
$$;
revoke execute on function index_pending_passages from public;
grant execute on function index_pending_passages to muster_app;

-- The passages of these scopes that contain the words of a query, best first. `documents` restricts them to some
-- documents.
--
-- The function bypasses row-level security, which would prevent the planner from using the full-text index. It filters
-- itself: the transaction's workspace is part of the searched lexemes. It returns only ids, which row-level security
-- still protects.
--
-- A word has a higher weight if fewer passages contain it (the weight of BM25). A passage ranks higher if it contains
-- the word more often. The cost must not grow with the scope, even for common words. So a sample gives an estimate for
-- common words, and only other words are counted. Up to `enough` passages are ranked: those with one of the rare words,
-- and those with two of the next ones.
create or replace function search_passages(question text, scopes uuid[], documents uuid[], most integer)
  returns table (id uuid, score double precision)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  sampled constant integer := 300;
  -- A word is common if this many passages of the sample contain it.
  common constant integer := 15;
  enough constant integer := 2000;
  weights constant real[] := '{0.1, 0.3, 0.3, 0.3}';
  scope_filter tsquery := (
    select string_agg(lexeme_query(scope_lexeme(current_workspace_id(), scope))::text, ' | ')::tsquery
    from unnest(scopes) scope);
  total double precision;
  -- The words that passages contain, rarest first, and the number of passages with each.
  words tsquery[];
  counts double precision[];
  singles integer := 0;
  chosen double precision := 0;
  expected double precision;
  sought tsquery;
begin
  if scope_filter is null then return; end if;
  with sample as materialized (
    select s.place, (select p.search from passages p where p.id = s.id) as search
    from unnest(scopes) as asked (scope)
    cross join lateral (
      select p.id, uuid_hash(p.id) as place from passages p
      where p.scope = asked.scope and p.workspace_id is not distinct from (select current_workspace_id())
      order by uuid_hash(p.id) limit sampled
    ) s
    order by s.place limit sampled
  ), size as materialized (
    select count(*) as taken, case
      when count(*) < sampled then count(*)
      else count(*) * 2 ^ 32 / (max(place) + 2 ^ 31 + 1)
    end as total
    from sample
  ), seen as materialized (
    select w.word, (select count(*) from sample where sample.search @@ w.word) as n
    from (select lexeme_query(lexeme) as word from unnest(to_tsvector('pg_catalog.english', question)) limit 32) w
  ), counted as materialized (
    select seen.word, seen.n * size.total / size.taken as estimate, case
      when size.taken < sampled or seen.n >= common then null
      else (select count(*) from (select from passages p where p.search @@ (scope_filter && seen.word) limit enough) p)
    end as n
    from seen, size where size.taken > 0
  ), known as (
    select word, case when n < enough then n else greatest(n, estimate) end as n from counted
  )
  select (select size.total from size), array_agg(word order by n, word::text), array_agg(n order by n, word::text)
  into total, words, counts from known where n > 0;
  if words is null then return; end if;
  for i in 1 .. cardinality(words) loop
    if chosen + counts[i] <= enough then
      sought := coalesce(sought || words[i], words[i]);
      chosen := chosen + counts[i];
      singles := i;
    else
      for j in singles + 1 .. i - 1 loop
        expected := counts[i] * counts[j] / total;
        continue when chosen + expected > enough;
        sought := coalesce(sought || (words[i] && words[j]), words[i] && words[j]);
        chosen := chosen + expected;
      end loop;
    end if;
  end loop;
  if sought is null then
    select string_agg(word::text, ' & ')::tsquery into sought from unnest(words) word;
  end if;
  return query
    select found.id, found.score from (
      select p.id, (
        select sum(ln(1 + (total - t.count + 0.5) / (t.count + 0.5)) * ts_rank(weights, p.search, t.word, 1))
        from unnest(words, counts) as t (word, count) where p.search @@ t.word
      ) as score
      from passages p
      where p.search @@ (scope_filter && sought) and (documents is null or p.document_id = any (documents))
      limit enough
    ) found
    order by found.score desc, found.id
    limit most;
end $$;
revoke execute on function search_passages from public;
grant execute on function search_passages to muster_viewer;

create or replace function reject_deletion_of_used_knowledge_base() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Deleting a whole workspace deletes its agents as well.
  if exists (select from workspaces w where w.id = old.workspace_id and w.deleted_at is null)
    and exists (select from agents a where a.workspace_id = old.workspace_id and old.id = any (a.knowledge_base_ids)) then
    raise foreign_key_violation using constraint = 'knowledge_bases_used_by_agents', table = 'knowledge_bases',
      message = 'Agents name this knowledge base.';
  end if;
  return old;
end $$;

create or replace trigger knowledge_base_deleted before delete on knowledge_bases
  for each row execute function reject_deletion_of_used_knowledge_base();
