-- What a team remembers is found as knowledge is: each memory is a passage too, whose scope is the team, whose heading
-- is the task and whose content is what came of it. It goes with its memory.

alter table team_memories add constraint team_memories_tenant_key unique (workspace_id, id);
alter table passages
  add column memory_id uuid,
  add constraint passages_memory_fkey foreign key (workspace_id, memory_id)
    references team_memories (workspace_id, id) on delete cascade;
create unique index passages_memory_idx on passages (memory_id) where memory_id is not null;

insert into passages (id, workspace_id, scope, memory_id, position, heading, content)
select id, workspace_id, team_id, id, 0, task, outcome from team_memories;

alter table team_memories drop column search;
drop function memory_words(text);
