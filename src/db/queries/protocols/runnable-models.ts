import type { Tenant } from "#domain/access/role.ts";
import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

/** An agent or team as a model of the OpenAI API. */
export interface RunnableModel {
  readonly id: string;
  readonly name: string;
  readonly kind: "agent" | "team";
  /** When it was created, in seconds since 1970. */
  readonly created: number;
  /** Whether the model's text is rendered with an output template. */
  readonly templated: boolean;
}

const COLUMNS = `id, name, kind, extract(epoch from created_at)::integer as created, templated`;
const MODELS = `(
  select id, name, 'agent' as kind, created_at, output_template is not null or output_template_id is not null as templated
  from agents where workspace_id = current_workspace_id()
  union all
  select id, name, 'team', created_at, true from teams where workspace_id = current_workspace_id()
) models`;

const LIST = statement({
  name: "list-runnable-models",
  text: `select ${COLUMNS} from ${MODELS} order by created_at desc, id desc limit $1`,
});

/** A workspace's newest agents and teams. */
export function listRunnableModels(db: Database, tenant: Tenant, limit: number): Promise<RunnableModel[]> {
  return db.queryInWorkspace<RunnableModel>(tenant, LIST, [limit]);
}

const FIND = statement({
  name: "find-runnable-models",
  text: `select ${COLUMNS} from ${MODELS} where id::text = lower($1) or name = $1 order by created_at, id limit 2`,
});

/** The agents and teams with this id or name, at most two. */
export function findRunnableModels(db: Database, tenant: Tenant, idOrName: string): Promise<RunnableModel[]> {
  return db.queryInWorkspace<RunnableModel>(tenant, FIND, [idOrName]);
}
