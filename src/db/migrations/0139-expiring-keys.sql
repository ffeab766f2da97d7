-- When admins are next told that a key expires: 14 days and 3 days before. Null when nothing is left to say. Routines
-- change with this number: a trigger sets it, and warn_of_expiring_keys writes the entries of the audit log.
alter table api_keys add column warn_at timestamptz;
create index api_keys_warn_at_idx on api_keys (warn_at) where warn_at is not null;
create index api_keys_expires_at_idx on api_keys (expires_at) where expires_at is not null and replaced_by is null;
update api_keys set warn_at = expires_at - interval '14 days' where expires_at > now() and replaced_by is null;
