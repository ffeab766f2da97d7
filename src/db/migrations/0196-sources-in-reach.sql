-- The name of what created a run: a key with a reach sees no route, so its runs of channels have a source without a name.
create policy reach on output_routes as restrictive to muster_reach_viewer using (false);
grant select (id, name) on output_routes to muster_reach_viewer;
