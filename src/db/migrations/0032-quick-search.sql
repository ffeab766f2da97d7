-- Knowledge bases that grow: words of new passages are gathered and then indexed together, which takes a fraction of the
-- time.

alter index passages_search_idx set (fastupdate = on, gin_pending_list_limit = 16384);

-- Indexes what has been gathered: until then each search reads through it. Only the owner of an index may.
create function index_gathered_words() returns void
  language sql security definer set search_path = public, pg_temp as $$
  select gin_clean_pending_list('passages_search_idx');
$$;
revoke execute on function index_gathered_words from public;
grant execute on function index_gathered_words to muster_app;

-- Texts are cut in other places from now on, and what is stored is counted in the document: what is being read just now
-- is read from its beginning.
delete from passages p using knowledge_documents d where d.id = p.document_id and d.status = 'processing';

-- Passages of a scope in an order that has nothing to do with their texts: its beginning is a sample of the scope, and
-- how far the beginning reaches says how many there are.
create index passages_sample_idx on passages (scope, uuid_hash(id)) include (id, workspace_id);
drop index passages_scope_idx;

-- The passages of these scopes that have the words of a question, best first. `documents` narrows them to some.
--
-- It reads past row security, which would keep the planner from the index of words, so it has its own wall: the
-- workspace of the transaction is part of the lexemes that it asks for. It gives ids only, which row security still guards.
--
-- A word counts the more, the fewer passages have it (its weight is that of BM25); a passage counts the more, the more
-- often it has the word. What it costs must not grow with the scope, however common the words are. So a sample says how
-- many passages have a common word, and only others are counted; and only so many passages are weighed as are `enough`:
-- those with one of the rare words, and those with two of the next ones.
create or replace function search_passages(question text, scopes uuid[], documents uuid[], most integer)
  returns table (id uuid, score double precision)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  sampled constant integer := 300;
  -- A word that so many passages of the sample have is common.
  common constant integer := 15;
  enough constant integer := 2000;
  weights constant real[] := '{0.1, 0.3, 0.3, 0.3}';
  wall tsquery := (
    select string_agg(lexeme_query(scope_lexeme(current_workspace_id(), scope))::text, ' | ')::tsquery
    from unnest(scopes) scope);
  total double precision;
  -- The words that passages have, the rarest first, and how many have each.
  words tsquery[];
  counts double precision[];
  singles integer := 0;
  chosen double precision := 0;
  expected double precision;
  sought tsquery;
begin
  if wall is null then return; end if;
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
      else (select count(*) from (select from passages p where p.search @@ (wall && seen.word) limit enough) p)
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
      where p.search @@ (wall && sought) and (documents is null or p.document_id = any (documents))
      limit enough
    ) found
    order by found.score desc, found.id
    limit most;
end $$;

-- A vector as bits, which PostgreSQL compares a hundred times quicker than numbers: each value as the number of bounds
-- that it is above, one bit for each bound. Two codes differ in as many bits as the vectors have bounds between them.
-- Bounds are in units of the values' mean size; long vectors have fewer, so that codes stay short enough for an index.
create function vector_code(vector real[]) returns bit varying
  language sql immutable strict parallel safe
  return (
    select case
      when max(length) <= 1024
        then string_agg((v > -1.2 / unit)::integer::text, '') || string_agg((v > -0.5 / unit)::integer::text, '')
          || string_agg((v > 0)::integer::text, '')
          || string_agg((v > 0.5 / unit)::integer::text, '') || string_agg((v > 1.2 / unit)::integer::text, '')
      when max(length) <= 2048
        then string_agg((v > -0.5 / unit)::integer::text, '') || string_agg((v > 0)::integer::text, '')
          || string_agg((v > 0.5 / unit)::integer::text, '')
      else string_agg((v > 0)::integer::text, '')
    end::bit varying
    from (select cardinality(vector) as length, sqrt(cardinality(vector)) as unit offset 0) known, unnest(vector) v);

alter table passage_embeddings drop column signs;
alter table passage_embeddings
  add column code bit varying not null generated always as (vector_code(embedding)) stored;
create index passage_embeddings_code_idx on passage_embeddings (scope, space) include (workspace_id, passage_id, code);
