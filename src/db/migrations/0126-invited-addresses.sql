-- muster: concurrently
create index concurrently if not exists invitations_address_idx on invitations (lower(email));
