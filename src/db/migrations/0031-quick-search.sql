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
