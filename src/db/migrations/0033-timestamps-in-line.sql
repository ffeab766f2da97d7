-- Timestamps are written by to_char, which PostgreSQL calls stable. A function that claims more than what it is made
-- of is never put in line: each of the timestamps of a page was a call of its own.
alter function iso(timestamptz) stable;
