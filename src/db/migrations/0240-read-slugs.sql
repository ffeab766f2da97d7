-- A member may read the slugs of the workspace, as all that belongs to it.
grant select on workspace_slugs to muster_viewer;
