-- Who signs up or changes their address claims it: nobody has verified that it is theirs. A person whom the provider has
-- verified then gets an account of their own, not one that a stranger has made for them.
alter table users add column address_claimed boolean not null default false;
-- A sign-up makes account and workspace in one transaction, as the first start does.
update users u set address_claimed = true
  from members m join workspaces w on w.id = m.workspace_id
  where m.user_id = u.id and m.role = 'owner' and w.created_at = u.created_at and u.password_hash is not null
    and w.id <> (select id from workspaces order by created_at, id limit 1);
