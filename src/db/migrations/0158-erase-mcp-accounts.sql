-- The erasure of a person removes the accounts at MCP servers that they connected (src/db/routines/135-erasures.sql); no
-- table changes.
select;
