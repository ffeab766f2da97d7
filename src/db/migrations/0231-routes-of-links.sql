-- Lists of links name the route that posted them.
grant select (route_id) on answer_links to muster_viewer;
