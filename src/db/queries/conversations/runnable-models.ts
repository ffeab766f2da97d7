import { statement } from "../../statement.ts";
import type { ListedModel, RunnableModel } from "#domain/models/runnable-model.ts";
import type { WorkspaceDatabase } from "../../database.ts";

const COLUMNS = `id, name, kind, extract(epoch from created_at)::integer as created`;

const LIST = statement({
  name: "list-runnable-models",
  text: `
    select ${COLUMNS} from (
      select id, name, 'agent' as kind, created_at from agents where workspace_id = current_workspace_id()
      union all
      select id, name, 'team', created_at from teams where workspace_id = current_workspace_id()
    ) models order by created_at desc, id desc limit $1`,
});

/** A workspace's newest agents and teams. */
export function listRunnableModels(db: WorkspaceDatabase, limit: number): Promise<ListedModel[]> {
  return db.query<ListedModel>(LIST, [limit]);
}

const FIND = statement({
  name: "find-runnable-models",
  text: `
    select ${COLUMNS}, templated, settings from (
      select id, name, 'agent' as kind, created_at,
        output_template is not null or output_template_id is not null as templated,
        json_build_object('model', model, 'provider', provider, 'temperature', temperature, 'max_tokens', max_tokens,
          'reasoning', reasoning, 'output_schema', output_schema, 'vision', config->'vision') as settings
      from agents where workspace_id = current_workspace_id()
      union all
      select id, name, 'team', created_at, true, null from teams where workspace_id = current_workspace_id()
    ) models where id::text = lower($1) or name = $1 order by created_at, id limit 2`,
});

/** The agents and teams with this id or name, at most two. */
export function findRunnableModels(db: WorkspaceDatabase, idOrName: string): Promise<RunnableModel[]> {
  return db.query<RunnableModel>(FIND, [idOrName]);
}
