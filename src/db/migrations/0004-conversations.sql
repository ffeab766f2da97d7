-- A task that is a conversation: what its user and its agent have said so far, as
-- [{id?, role: user | assistant, content}]. Null for a task that consists of title and description.
alter table tasks add column conversation jsonb;
