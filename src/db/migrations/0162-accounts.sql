-- Whether it is proved that the person has the e-mail address: the operator vouches for it, or it was given at a
-- sign-up. Whoever makes an invitation has its link as well, so an account that comes with one proves nothing: it does
-- not claim the address, of which there may be several such accounts.
alter table users add column email_proved boolean not null default true;
drop index users_email_key;
create unique index users_email_key on users (lower(email)) where email_proved;
create index users_email_idx on users (lower(email));
