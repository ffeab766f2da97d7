import type { Requirements } from "./requirement.ts";

/** Tasks: fields, creation and dispatch, changes, and the transitions between their states. */
export const tasks = {
  "tasks.record.fields": {
    states: "A task record has id, title, description, priority, status, assigned_agent_id, metadata and workspace_id.",
    source: "contract",
  },
  "tasks.record.result-fields": {
    states:
      "A task record also has result, error, interaction, usage, attempt, scheduled_for, assigned_team_id, team_run_id and created_by.",
    source: "decision",
  },
  "tasks.record.timestamps": {
    states:
      "A task record has created_at, updated_at, dispatched_at, started_at and completed_at; those not reached are null.",
    source: "decision",
  },
  "tasks.record.usage-shape": {
    states: "usage holds prompt_tokens, completion_tokens, total_tokens and cost_usd.",
    source: "decision",
  },
  "tasks.record.statuses": {
    states: "A task's status is one of pending, dispatched, running, waiting_for_input, completed, failed, cancelled.",
    source: "contract",
  },
  "tasks.list.all": {
    states: "GET without parameters lists the tasks of the caller's workspace.",
    source: "contract",
  },
  "tasks.list.by-status": {
    states: "GET with status lists only the tasks in that state.",
    source: "contract",
  },
  "tasks.list.unknown-status-400": {
    states: "GET with a status that does not exist is 400.",
    source: "decision",
  },
  "tasks.get.one": { states: "GET with an id returns that task alone.", source: "contract" },
  "tasks.create.returns-record": {
    states: "POST returns 201 with the created task.",
    source: "contract",
  },
  "tasks.create.title-required": {
    states: 'A task without a title is 400 with the path "title".',
    source: "decision",
  },
  "tasks.create.title-length": {
    states: "A title must have 1 to 200 characters.",
    source: "decision",
  },
  "tasks.create.defaults": {
    states: "Defaults of absent fields: an empty description, priority medium, metadata {}.",
    source: "decision",
  },
  "tasks.create.priority-values": {
    states: "priority is low, medium, high or urgent; anything else is 400.",
    source: "contract",
  },
  "tasks.create.metadata-object": {
    states: "metadata takes any JSON object; anything else is 400.",
    source: "contract",
  },
  "tasks.create.metadata-untouched": {
    states: "metadata belongs to the caller: no state change rewrites it.",
    source: "decision",
  },
  "tasks.create.unassigned-pending": {
    states: "A task without agent or team stays pending.",
    source: "decision",
  },
  "tasks.create.assigned-dispatches": {
    states: "A task created with an agent is dispatched without another call.",
    source: "contract",
  },
  "tasks.create.foreign-agent-404": {
    states: "Assigning an unknown agent or one of another workspace is 404 and creates no task.",
    source: "decision",
  },
  "tasks.create.agent-and-team-400": {
    states: "A task with both an agent and a team is 400.",
    source: "decision",
  },
  "tasks.create.assigned-team-runs": {
    states: "A task created with a team starts a run of that team.",
    source: "contract",
  },
  "tasks.create.team-result-taken-over": {
    states: "A team's task ends with its team run and has the run's output as result.",
    source: "decision",
  },
  "tasks.create.scheduled-for": {
    states: "A task with scheduled_for is dispatched at that time, not earlier.",
    source: "decision",
  },
  "tasks.scheduled.late": {
    states: "A task that comes due while no process runs is dispatched once, as soon as a process runs.",
    source: "goal",
  },
  "tasks.scheduled.change": {
    states: "Until then its time can be changed or removed, and it can be started or cancelled; later that is 409.",
    source: "decision",
  },
  "tasks.create.attachments": {
    states: "attachments lists uploaded files of the workspace that the agent gets.",
    source: "decision",
  },
  "tasks.patch.editable-while-open": {
    states: "title, description, priority and metadata can be changed while the task is not terminal.",
    source: "decision",
  },
  "tasks.patch.terminal-fields-409": {
    states: "Changing those fields of a terminal task is 409.",
    source: "decision",
  },
  "tasks.patch.record-sent-back": {
    states: "A whole record that is sent back with the current status changes only the fields that differ.",
    source: "goal",
  },
  "tasks.patch.unchanged": {
    states: "A field that equals the task's is no change, in any state: 200.",
    source: "decision",
  },
  "tasks.patch.metadata-any-time": {
    states: "metadata can be changed in any state.",
    source: "decision",
  },
  "tasks.metadata.digits": {
    states: "Integers above 2^53 in metadata keep their digits, also in the tasks of schedules and triggers.",
    source: "goal",
  },
  "tasks.create.status": {
    states: "status is accepted on create and ignored: it belongs to the service.",
    source: "goal",
  },
  "tasks.patch.validated": {
    states: "PATCH validates each field as POST does; errors contain the path of an invalid field.",
    source: "decision",
  },
  "tasks.patch.assign-dispatches": {
    states: "Assigning an agent to a pending task dispatches it.",
    source: "decision",
  },
  "tasks.patch.assign-team-dispatches": {
    states: "Assigning a team to a pending task dispatches it.",
    source: "decision",
  },
  "tasks.patch.assign-not-pending-409": {
    states: "Assigning an agent to a task that is not pending is 409.",
    source: "decision",
  },
  "tasks.patch.dispatch-pending": {
    states: "Setting the status of an assigned pending task to dispatched starts it.",
    source: "decision",
  },
  "tasks.patch.rerun-terminal": {
    states: "Setting the status of a terminal task to dispatched runs it again with attempt + 1.",
    source: "decision",
  },
  "tasks.patch.rerun-clears-outcome": {
    states: "A task that runs again has no result, error or completed_at until it ends again.",
    source: "decision",
  },
  "tasks.patch.cancel": {
    states: "Setting the status of a task that is not terminal to cancelled cancels it.",
    source: "decision",
  },
  "tasks.patch.illegal-transition-409": {
    states: "Any other change of status is 409; the message contains both states.",
    source: "decision",
  },
  "tasks.delete.removes": {
    states: "DELETE removes the task from reads and lists.",
    source: "contract",
  },
  "tasks.delete.cancels-first": {
    states: "DELETE of a running task stops its work before it deletes the task.",
    source: "decision",
  },
  "tasks.state.pending-to-dispatched": {
    states: "A pending task becomes dispatched when its job is queued.",
    source: "decision",
  },
  "tasks.state.dispatched-to-running": {
    states: "A dispatched task becomes running when a process starts it.",
    source: "decision",
  },
  "tasks.state.running-to-completed": {
    states: "A running task whose agent finishes becomes completed and has a result.",
    source: "decision",
  },
  "tasks.state.running-to-failed": {
    states: "A running task that cannot be finished becomes failed and has an error.",
    source: "decision",
  },
  "tasks.state.cancel-from-every-open-state": {
    states: "pending, dispatched and running tasks can be cancelled.",
    source: "decision",
  },
  "tasks.state.cancel-while-waiting": {
    states: "A task in waiting_for_input can be cancelled.",
    source: "decision",
  },
  "tasks.state.one-table": {
    states: "Only the listed transitions exist: no sequence of triggers leads outside of the table.",
    source: "decision",
  },
  "tasks.state.guarded-in-sql": {
    states:
      "The statement that writes a state also checks the previous one, so that one of two concurrent writers fails.",
    source: "decision",
  },
  "tasks.state.cancelled-is-final": {
    states: "A run that finishes late never overwrites cancelled.",
    source: "decision",
  },
  "tasks.prompt.title-and-description": {
    states:
      'The model\'s first user message contains the task\'s title after "Task Title:", an empty line, and the description after "Task Description:".',
    source: "decision",
  },
  "tasks.prompt.attached-files": {
    states: "Attached files follow the description in the prompt.",
    source: "decision",
  },
  "tasks.created-by.key-owner": {
    states: "created_by is the user whose key created the task.",
    source: "decision",
  },
  "tasks.retry.bulk-runs": {
    states: "The same request runs all team runs without a task that failed with the code again.",
    source: "goal",
  },
  "tasks.retry.bulk": {
    states: "One request runs all tasks of a workspace that failed with a code again, at most 100 at a time.",
    source: "goal",
  },
} as const satisfies Requirements<"tasks">;
