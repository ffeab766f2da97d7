/**
 * SQL: the ids of a run `$1` and of the run that is one with it: a team's task and the team run that works on it in the
 * same attempt begin, wait and end together.
 */
export const WHOLE_RUN = `
  any(array[$1::uuid, (select w.parent_id from runs w where w.id = $1), (select w.team_run_id from runs w where w.id = $1)])`;
