-- A call that was interrupted: what its provider had reported until then, and the worst case of what it had not. Calls
-- whose provider reports no usage at all have a worst case too, if a budget applies to them.
alter table usage_records
  add interrupted boolean not null default false,
  add worst_case_tokens integer not null default 0,
  add worst_case_cost_usd numeric(14,8) not null default 0;
alter table usage_hours
  add interrupted_calls bigint not null default 0,
  add worst_case_tokens bigint not null default 0,
  add worst_case_cost_usd numeric not null default 0;

-- Its usage record if it is interrupted. Calls without a budget are noted here as well, when they take long.
alter table budget_reservations add usage json;
alter type budget_call add attribute usage json;
