-- Contents of files are kept outside of the database, by key. This is the list of those that no row
-- holds: being uploaded, or let go. It lets nothing be forgotten there, whenever a process dies.

create table stray_blobs (
  key text primary key,
  -- Until then an upload may still be under way.
  delete_after timestamptz not null,
  -- A process is deleting it: no row can take it any more.
  doomed boolean not null default false
);
create index stray_blobs_delete_after_idx on stray_blobs (delete_after);
-- Without a policy: only the service itself reads and writes here.
alter table stray_blobs enable row level security;

-- Triggers for tables that hold a content by its key in the column blob_key. The row takes the content
-- off the list when it is made, and puts it back when it is gone.
create function keep_blob() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from stray_blobs where key = new.blob_key and not doomed;
  if not found then raise exception 'The content % was not stored in time.', new.blob_key; end if;
  return null;
end $$;

create function let_blob_go() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into stray_blobs (key, delete_after) values (old.blob_key, now());
  return null;
end $$;
