-- Webhook subscriptions can have the entries of the audit log.
alter table webhook_subscriptions drop constraint webhook_subscriptions_event_check;
alter table webhook_subscriptions add constraint webhook_subscriptions_event_check
  check (event in ('task_started', 'task_completed', 'task_failed', 'task_waiting_for_input', 'team_run_started',
    'team_run_completed', 'team_run_failed', 'audit_recorded'));
