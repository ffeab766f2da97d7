-- The networks from which a key, or all keys of a service account, may be used; null for everywhere. The routines change
-- with this number.
alter table api_keys add column networks text[] check (cardinality(networks) > 0);
alter table service_accounts add column networks text[] check (cardinality(networks) > 0);
grant select (networks) on api_keys to muster_viewer;
grant update (networks) on api_keys to muster_admin;
grant update (networks) on service_accounts to muster_admin;
