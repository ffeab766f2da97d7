import { pino } from "pino";
import { afterAll, beforeAll, expect } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/database.ts";
import { createPgvector, pgvectorSchema } from "#db/pgvector.ts";
import { rankByMeaning } from "#db/queries/knowledge/passages.ts";
import { normalized } from "#domain/models/embedding.ts";
import { newId } from "#lib/ids.ts";
import { hashedTrigrams } from "../../support/providers/embedding-provider.ts";
import { QUESTIONS } from "../../support/teams/garden-questions.ts";
import { createDatabase } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const SPACE = "provider/model/384";
const NEAREST = 5;
const [workspaceId, scope] = [newId(), newId()];
const passages = QUESTIONS.map(({ question, heading }) => {
  return { id: newId(), question, vector: normalized(hashedTrigrams(heading)) };
});

let database: TestDatabase;
let db: Database;
const logged: string[] = [];

beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase({ url: database.url, poolSize: 2, onIdleError: () => undefined });
  await createPgvector(db, pino({}, { write: (line) => void logged.push(line) }));
  await sql(
    database.url,
    `with stored as (
       insert into passages (id, workspace_id, scope, position, content)
       select id, $1, $2, 0, 'Text' from unnest($3::uuid[]) id returning id
     )
     insert into passage_embeddings (passage_id, workspace_id, scope, space, embedding)
     select t.id, $1, $2, '${SPACE}', t.embedding::real[]
     from unnest($3::uuid[], $4::text[]) as t (id, embedding) join stored on stored.id = t.id`,
    [workspaceId, scope, passages.map(({ id }) => id), passages.map(({ vector }) => `{${vector.join(",")}}`)],
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Whether the server has pgvector, and whether the role of the tests may create it; undefined: it has none. */
async function mayCreate(): Promise<boolean | undefined> {
  const [row] = await sql<{ mayCreate: boolean }>(
    database.url,
    `select v.trusted or (select rolsuper from pg_roles where rolname = current_user) as "mayCreate"
     from pg_available_extensions e
     join pg_available_extension_versions v on v.name = e.name and v.version = e.default_version
     where e.name = 'vector'`,
  );
  return row?.mayCreate;
}

verifies(
  "knowledge.search.pgvector",
  "where the server has pgvector it is created, or the log says who can; elsewhere nothing is said",
  async () => {
    const created = await sql(database.url, "select from pg_extension where extname = 'vector'");
    const possible = await mayCreate();
    expect(created.length).toBe(possible === true ? 1 : 0);
    expect((await pgvectorSchema(db)) !== undefined).toBe(possible === true);
    expect(logged.join("").includes("CREATE EXTENSION vector;")).toBe(possible === false);
  },
);

verifies(
  "knowledge.search.pgvector",
  "the nearest passages of a workspace are found, with pgvector and without",
  async () => {
    for (const { question } of passages) {
      const vector = normalized(hashedTrigrams(question));
      const product = (other: readonly number[]) =>
        other.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0);
      const nearest = passages.toSorted((a, b) => product(b.vector) - product(a.vector)).slice(0, NEAREST);
      const asked = { space: SPACE, vector, scopes: [scope], most: NEAREST };
      const products = new Map(passages.map((passage) => [passage.id, product(passage.vector).toFixed(4)]));
      const ranked = await rankByMeaning(db, { workspaceId, role: "viewer" }, asked);
      expect(ranked.map((id) => products.get(id))).toEqual(nearest.map(({ id }) => products.get(id)));
      expect(await rankByMeaning(db, { workspaceId: newId(), role: "viewer" }, asked)).toEqual([]);
    }
  },
);
