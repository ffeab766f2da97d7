-- Mails to people themselves: invitations, and links for a new password. Who invites a person has one link, and the mail
-- has another one, which only its receiver knows.
alter table invitations add column mail_token_hash text unique;
