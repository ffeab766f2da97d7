import { serviceIn } from "#domain/access/role.ts";
import type { TeamMemory } from "#domain/teams/team-memory.ts";
import type { Database, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** The part of a task and its output that is embedded, in characters. */
const EMBEDDED = 2_000;

// Of several runs with the same task, the newest is used, at the rank of the best match.
const READ = statement({
  name: "read-team-memories",
  text: `
    select m.task, m.status, m.outcome, iso(m.created_at) as at
    from (
      select distinct on (md5(m.task)) m.id, min(f.place) over (partition by md5(m.task)) as place
      from unnest($1::uuid[]) with ordinality as f (id, place) join team_memories m on m.id = f.id
      order by md5(m.task), m.created_at desc, m.id desc
    ) newest join team_memories m on m.id = newest.id
    order by newest.place limit $2`,
});

/** The outputs of the runs that these passages come from, in order, one per task. */
export function readMemories(
  db: WorkspaceDatabase,
  { ids, limit }: { readonly ids: readonly string[]; readonly limit: number },
): Promise<TeamMemory[]> {
  return db.query<TeamMemory>(READ, [ids, limit]);
}

const UNEMBEDDED = statement({
  name: "read-unembedded-memories",
  text: `
    select p.id, left(p.heading, ${EMBEDDED}) || E'\\n\\n' || left(p.content, ${EMBEDDED}) as text
    from passages p
    where p.scope = $1 and not exists (select from passage_embeddings e where e.passage_id = p.id)
    order by p.id desc limit $2`,
});

/** A team in its workspace. */
export interface TeamKey {
  readonly workspaceId: string;
  readonly teamId: string;
}

/** A team's memories without vectors, newest first. */
export function readUnembeddedMemories(
  db: Database,
  { workspaceId, teamId }: TeamKey,
  limit: number,
): Promise<{ readonly id: string; readonly text: string }[]> {
  return db.inWorkspace(serviceIn(workspaceId)).query<{ id: string; text: string }>(UNEMBEDDED, [teamId, limit]);
}

// A memory that was deleted concurrently gets no vector.
const STORE_VECTORS = statement({
  name: "store-memory-embeddings",
  text: `
    with given as (
      select p.id, p.workspace_id, p.scope, t.embedding
      from unnest($3::uuid[], $4::text[]) as t (id, embedding) join passages p on p.id = t.id
      where p.scope = $1 for key share of p
    )
    insert into passage_embeddings (passage_id, workspace_id, scope, space, embedding)
    select id, workspace_id, scope, $2, embedding::real[] from given
    on conflict do nothing`,
});

/** Vectors of memories, all of one embedding space. */
export interface MemoryVectors {
  /** `provider/model/dimensions` */
  readonly space: string;
  readonly ids: readonly string[];
  readonly vectors: readonly (readonly number[])[];
}

/** Stores vectors, each once. */
export async function storeMemoryVectors(
  db: Database,
  { workspaceId, teamId }: TeamKey,
  { space, ids, vectors }: MemoryVectors,
): Promise<void> {
  const arrays = vectors.map((vector) => `{${vector.join(",")}}`);
  await db.inWorkspace(serviceIn(workspaceId)).query(STORE_VECTORS, [teamId, space, ids, arrays]);
}
