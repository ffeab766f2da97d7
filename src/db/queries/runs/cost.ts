/** SQL: what the current attempt of a run `r` has cost so far. The usage of a team's task has the ids of both runs. */
export const COST = `
  coalesce(case r.kind
    when 'task' then (
      select sum(u.estimated_cost_usd) from usage_records u where u.task_id = r.id and u.attempt = r.attempt)
    else (
      select sum(u.estimated_cost_usd) from usage_records u where u.team_run_id = r.id and u.attempt = r.attempt)
  end, 0)`;
