-- Memberships that follow the groups of a provider; those by invitation and by hand do not. Sessions that began at a
-- provider end at a fixed time, however often they are refreshed: the provider is asked again. The routines change with
-- this number: end_member_sessions ends the sessions of a member for an admin.
alter table members add column from_groups boolean not null default false;
alter table sessions add column ends_at timestamptz;
