-- Routes can deliver the entries of the audit log.
alter table output_routes drop constraint output_routes_events_check;
alter table output_routes add constraint output_routes_events_check
  check (events <@ '{task.completed,task.failed,team_run.completed,team_run.failed,audit.recorded}'::text[]);
