-- What the request of an OpenAI client says beyond its messages and tools: changes of the agent for this run, the fields
-- that its response repeats, and whether it may be read again. See `clientRequest` in
-- src/domain/protocols/client-request.ts. json, not jsonb: models write a result in the order of its schema.
alter table tasks add column client_request json;
