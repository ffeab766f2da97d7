-- Routes of kind people ask in a channel. The routines change with this number: push_question delivers questions to
-- routes, push_closed_question edits what was posted, audit_answer records who answered in a channel.
-- allowed_user_ids: who may answer, by the vendor's ids of people; empty: everybody in the channel.
alter table output_routes
  add column kind text not null default 'results' check (kind in ('results', 'people')),
  add column allowed_user_ids text[] not null default '{}',
  drop constraint output_routes_events_check,
  add constraint output_routes_events_check check (events <@
    '{task.completed,task.failed,team_run.completed,team_run.failed,task.waiting_for_input,audit.recorded}'::text[]);
grant select (kind, allowed_user_ids) on output_routes to muster_viewer;

-- posted: the vendor's ids of the message that asks, by which it is edited; `key` finds it again for a reply.
-- closes: the delivery whose message this one edits.
alter table deliveries add column posted jsonb, add column closes uuid;

-- A link that a route of kind people made; it needs that route instead of the workspace's permission.
alter table answer_links add column route_id uuid;

-- The person's id at the vendor of the channel.
alter table closed_questions add column answered_vendor_id text;
grant update (answered_vendor_id) on closed_questions to muster_app, muster_reach_app;

drop view if exists output_route_records;
drop view if exists table_api.output_routes;
