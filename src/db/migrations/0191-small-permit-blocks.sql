-- How many permits a process gets when it asks. What a block holds unspent is lost to the others until the window ends:
-- blocks are so small that 30 processes together hold at most 2 % of the limit, whoever gets the requests.
create or replace function permits_granted(allowed integer, used integer, wanted integer) returns integer
  language sql immutable parallel safe
  return case when wanted = 0 then 0
    else greatest(0, least(allowed - used, greatest(wanted, least(allowed / 1500, 64)))) end;
