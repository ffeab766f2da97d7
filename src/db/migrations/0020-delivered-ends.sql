-- Why the last reply of a completed run ended, for its deliveries; null as well after a complete reply.
alter table delivery_events add finish_reason text;
