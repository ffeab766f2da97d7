-- An agent is running while a run of its team is in progress: few of a team's runs are.
create index team_runs_in_progress_idx on team_runs (team_id) where status in ('running', 'waiting_for_input');
