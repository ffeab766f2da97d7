-- Announces a change of a row to the processes that have viewers of its workspace: workspace, kind, id, status, time.
-- Arguments: the kind, and the columns of the id and the status ('' for none). A deleted row has the status `deleted`.
create or replace function announce_change() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  workspace uuid;
  changed jsonb;
begin
  if is_moving() then return null; end if;
  if tg_table_name = 'workspaces' then workspace := new.id;
  else workspace := coalesce(new.workspace_id, old.workspace_id);
  end if;
  if not exists (
    select from live_viewers v where v.workspace_id = workspace and v.seen_at > clock_timestamp() - interval '30 seconds'
  ) then
    return null;
  end if;
  if tg_op = 'DELETE' then changed := to_jsonb(old); else changed := to_jsonb(new); end if;
  perform pg_notify('muster_changes', concat_ws(' ', workspace, tg_argv[0], changed->>tg_argv[1],
    case when tg_op = 'DELETE' then 'deleted' else coalesce(changed->>tg_argv[2], '-') end, iso(clock_timestamp())));
  return null;
end $$;
revoke execute on function announce_change from public;

create or replace trigger live_run after insert or update of status, title, attempt on runs
  for each row when (new.parent_id is null) execute function announce_change('run', 'id', 'status');
create or replace trigger live_run_deleted after delete on runs
  for each row when (old.parent_id is null) execute function announce_change('run', 'id', 'status');
-- Deleted also by a cancelled run, which leaves no closed question.
create or replace trigger live_question_asked after insert or update or delete on task_questions
  for each row execute function announce_change('question', 'interaction_id', '');
create or replace trigger live_question_voted after insert on question_votes
  for each row execute function announce_change('question', 'interaction_id', '');
create or replace trigger live_question_closed after insert on closed_questions
  for each row execute function announce_change('question', 'interaction_id', 'state');
create or replace trigger live_document after insert or delete or update of status, progress on knowledge_documents
  for each row execute function announce_change('document', 'id', 'status');
create or replace trigger live_delivery after insert or update of status on deliveries
  for each row execute function announce_change('delivery', 'id', 'status');
create or replace trigger live_budget after insert or delete or update on budgets
  for each row execute function announce_change('budget', 'id', '');
create or replace trigger live_schedule after insert or delete or update on schedules
  for each row execute function announce_change('schedule', 'id', '');
create or replace trigger live_schedule_fire after insert on schedule_fires
  for each row execute function announce_change('schedule', 'schedule_id', '');
create or replace trigger live_trigger after insert or delete or update on triggers
  for each row execute function announce_change('trigger', 'id', '');
create or replace trigger live_trigger_delivery after insert on trigger_deliveries
  for each row execute function announce_change('trigger', 'trigger_id', '');
create or replace trigger live_alert after insert or delete on alerts
  for each row execute function announce_change('alert', 'id', 'state');
-- Most checks change neither the rule nor its state. The first one after a change shows its value.
create or replace trigger live_alert_changed after update on alerts
  for each row when (old.state <> new.state or old.updated_at <> new.updated_at
    or coalesce(old.last_checked_at <= old.updated_at, true) and new.last_checked_at > new.updated_at)
  execute function announce_change('alert', 'id', 'state');
create or replace trigger live_agent after insert or delete or update on agents
  for each row execute function announce_change('agent', 'id', '');
create or replace trigger live_feedback after insert or delete or update on feedback
  for each row execute function announce_change('run', 'run_id', '');
create or replace trigger live_workspace after update of paused on workspaces
  for each row execute function announce_change('workspace', 'id', '');
