-- Which questions a person gets by mail, in all workspaces: approvals that an agent needs for a call or a budget, and
-- other questions. The routines change with this number: 100-deliveries.sql.
alter table users add column question_mails text[] not null default '{}'
  check (question_mails <@ '{approvals,questions}'::text[]);
