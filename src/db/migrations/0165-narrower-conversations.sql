-- 0164 has a wider index in its place.
drop index if exists runs_conversations_idx;
