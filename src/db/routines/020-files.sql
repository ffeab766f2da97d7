-- Files: functions, triggers and views.

-- Triggers for tables that reference a stored content in the column blob_key. Inserting a row removes its content from
-- the list of stray blobs; deleting the row adds it again.
create or replace function keep_blob() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from stray_blobs where key = new.blob_key and not doomed;
  if not found then raise exception 'The content % was not stored in time.', new.blob_key; end if;
  return null;
end $$;

create or replace function let_blob_go() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into stray_blobs (key, delete_after) values (old.blob_key, now());
  return null;
end $$;

create or replace trigger file_made after insert on files for each row execute function keep_blob();

create or replace trigger file_gone after delete on files for each row execute function let_blob_go();

create or replace view file_records with (security_invoker = true) as
  select f.id, f.workspace_id, f.name, f.type, f.size, f.direction, f.task_id, f.run_id, f.attempt,
    f.created_by, iso(f.created_at) as created_at,
    coalesce((select t.title from tasks t where t.id = f.task_id),
      (select run_title(r.input_task) from team_runs r where r.id = f.run_id)) as work_title
  from files f;
grant select on file_records to muster_viewer;

create or replace function attachment(file files) returns json
  language sql stable
  return json_build_object('id', file.id, 'name', file.name, 'type', file.type, 'size', file.size,
    'direction', file.direction);

create or replace trigger knowledge_documents_keep after insert on knowledge_documents
  for each row execute function keep_blob();

create or replace trigger knowledge_documents_let_go after delete on knowledge_documents
  for each row execute function let_blob_go();
