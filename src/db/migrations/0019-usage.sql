-- Usage by team: a team's runs may be deleted, and what was spent stays on record.
alter table usage_records add column team_id uuid;
update usage_records u set team_id = r.team_id from team_runs r where r.id = u.team_run_id;
