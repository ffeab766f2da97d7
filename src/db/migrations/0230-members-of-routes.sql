-- The members of a route are members of its workspace: whoever has left is listed no more.
update output_routes o set members = coalesce((
  select jsonb_agg(p.person order by p.number)
  from jsonb_array_elements(o.members) with ordinality p (person, number)
  join members m on m.workspace_id = o.workspace_id and m.user_id = (p.person->>'member')::uuid), '[]')
where exists (
  select from jsonb_array_elements(o.members) p (person)
  where not exists (
    select from members m where m.workspace_id = o.workspace_id and m.user_id = (p.person->>'member')::uuid));
