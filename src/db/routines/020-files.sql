-- Files: functions, triggers and views.

-- Triggers for tables that reference a stored content in the column blob_key. Inserting a row removes its content from
-- the list of unreferenced blobs; deleting the row adds it again.
create or replace function reference_blob() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from unreferenced_blobs where key = new.blob_key and not deleting;
  if not found then raise exception 'The content % was not stored in time.', new.blob_key; end if;
  return null;
end $$;

create or replace function release_blob() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into unreferenced_blobs (key, delete_after) values (old.blob_key, now());
  return null;
end $$;

create or replace trigger file_created after insert on files for each row execute function reference_blob();

create or replace trigger file_deleted after delete on files for each row execute function release_blob();

create or replace view file_records with (security_invoker = true) as
  select f.id, f.workspace_id, f.name, f.type, f.size, f.direction, f.task_id, f.run_id, f.attempt,
    f.created_by, iso(f.created_at) as created_at,
    coalesce((select title_of(r) from runs r where r.id = f.task_id),
      (select title_of(r) from runs r where r.id = f.run_id)) as work_title
  from files f;
grant select on file_records to muster_viewer;

create or replace function attachment(file files) returns json
  language sql stable
  return json_build_object('id', file.id, 'name', file.name, 'type', file.type, 'size', file.size,
    'direction', file.direction);

create or replace trigger knowledge_document_created after insert on knowledge_documents
  for each row execute function reference_blob();

create or replace trigger knowledge_document_deleted after delete on knowledge_documents
  for each row execute function release_blob();
