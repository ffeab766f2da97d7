-- What the roles of requests need not be able to do. Triggers fire whoever may execute their functions.
do $$
declare
  trigger_function regprocedure;
begin
  for trigger_function in
    select p.oid from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prorettype = 'trigger'::regtype
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('revoke execute on function %s from public', trigger_function);
  end loop;
  execute format('revoke temporary on database %I from public', current_database());
end
$$;
