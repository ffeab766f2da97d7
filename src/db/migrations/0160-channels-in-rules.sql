-- Who is who in a route that asks people: the members whom a rule on approvals asks when it names the route, and the
-- vendor's ids by which their presses are known. `[{"member": "<user id>", "user_id": "<id at the vendor>" | null}]`.
-- The routines change with this number: 025-approvals.sql, 076-audit.sql, 100-deliveries.sql.
alter table output_routes add column members jsonb not null default '[]';
grant select (members) on output_routes to muster_viewer;

drop view if exists output_route_records;
drop view if exists table_api.output_routes;
