/**
 * SQL: gives open questions the time back for which they were held, so that each has as much left as when the hold began.
 * The parts of a statement with `held (workspace_id, since)`, the held workspaces and the time from which they were.
 */
export const EXTEND_QUESTIONS = `
  moved as (
    update task_questions q set deadline = q.deadline + (clock_timestamp() - greatest(h.since, q.asked_at))
    from held h where q.workspace_id = h.workspace_id and isfinite(q.deadline)
    returning q.subject_id, q.deadline
  ),
  shown as (
    update runs r set interaction =
      open_request(regexp_replace(r.interaction::text, ',"expiresAt":[^,]*}$', '}'), m.deadline)
    from moved m join runs s on s.id = m.subject_id
    where r.id in (s.id, s.parent_id, s.team_run_id) and r.interaction is not null
    returning r.id
  )`;
