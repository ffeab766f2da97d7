-- A task is also found by the id of its thread, which no task has any more: the service assigns those.
create index agent_threads_thread_idx on agent_threads (thread_id, created_at);
