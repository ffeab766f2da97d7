import type { Tenant } from "#domain/access/role.ts";
import type { Database, WorkspaceDatabase } from "../../database.ts";
import { pgvectorSchema } from "../../pgvector.ts";
import { Statement, statement } from "../../statement.ts";

/** Vectors preselected by their binary codes and then ranked by their values; much faster with pgvector. */
const SHORTLIST = 400;
const SHORTLIST_OF_PGVECTOR = 1_000;
/** The maximum number of embedding spaces searched per query. */
const MAX_SPACES = 4;

/** The scope of a search. */
export interface PassageFilter {
  /** Ids of knowledge bases, or of other collections of passages. */
  readonly scopes: readonly string[];
  /** Only passages of these documents; undefined for all. */
  readonly documents?: readonly string[] | undefined;
  /** The number of results. */
  readonly most: number;
}

const BY_KEYWORDS = statement({
  name: "rank-passages-by-words",
  text: `select id from search_passages($1, $2, $3, $4)`,
});

/** The ids of the passages that match a full-text query, best first. */
export async function rankByKeywords(
  db: WorkspaceDatabase,
  { question, scopes, documents, most }: PassageFilter & { readonly question: string },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(BY_KEYWORDS, [question, scopes, documents ?? null, most]);
  return rows.map(({ id }) => id);
}

const BY_MEANING = statement({
  name: "rank-passages-by-meaning",
  text: nearest({
    between: "bit_count(e.code # (select vector_code($3::real[])))",
    shortlist: SHORTLIST,
    apart: "(select -sum(a * b) from unnest(e.embedding, $3::real[]) as t (a, b))",
  }),
});

/** Its operators exist only where pgvector is installed, in the schema where it is. */
function byMeaningWithPgvector(schema: string) {
  const text = nearest({
    between: `e.code operator(${schema}.<~>) (select vector_code($3::real[]))`,
    shortlist: SHORTLIST_OF_PGVECTOR,
    apart: `e.embedding::${schema}.vector operator(${schema}.<#>) ($3::real[])::${schema}.vector`,
  });
  return new Statement<{ id: string }>({ name: "rank-passages-by-meaning-with-pgvector", text });
}

interface Distances {
  /** The distance between the binary code of an embedding `e` and that of the query `$3`. */
  readonly between: string;
  readonly shortlist: number;
  /** The distance between their values. */
  readonly apart: string;
}

// Searches in two stages: by the binary codes of all vectors in scope, then by the values of the nearest. There is no
// nearest-neighbour index: it would span all workspaces, be filtered down to a few rows, and find fewer matches.
function nearest({ between, shortlist, apart }: Distances): string {
  return `
    with near as materialized (
      select e.passage_id from passage_embeddings e
      where e.scope = any ($1) and e.space = $2
        and ($4::uuid[] is null
          or (select p.document_id from passages p where p.id = e.passage_id) = any ($4))
      order by ${between} limit ${shortlist}
    )
    select e.passage_id as id
    from near join passage_embeddings e on e.passage_id = near.passage_id
    order by ${apart}, e.passage_id limit $5`;
}

/** A query's vector in one embedding space. */
export interface QuestionVector {
  readonly space: string;
  readonly vector: readonly number[];
}

/** The ids of the passages with the nearest vectors, nearest first. */
export async function rankByMeaning(
  db: Database,
  tenant: Tenant,
  { space, vector, scopes, documents, most }: PassageFilter & QuestionVector,
): Promise<string[]> {
  const schema = await pgvectorSchema(db);
  const byMeaning = schema === undefined ? BY_MEANING : byMeaningWithPgvector(schema);
  const values = [scopes, space, vector, documents ?? null, most];
  const rows = await db.inWorkspace(tenant).query<{ id: string }>(byMeaning, values);
  return rows.map(({ id }) => id);
}

// Skips from space to space in the index: there are few spaces, even with many vectors.
const SPACES = statement({
  name: "list-embedding-spaces",
  text: `
    with recursive spaces as (
      select s.scope, (select min(e.space) from passage_embeddings e where e.scope = s.scope) as space
      from unnest($1::uuid[]) as s (scope)
      union all
      select s.scope, (select min(e.space) from passage_embeddings e where e.scope = s.scope and e.space > s.space)
      from spaces s where s.space is not null
    )
    select distinct space from spaces where space is not null order by space limit ${MAX_SPACES}`,
});

/** The embedding spaces of the passages in these scopes, as `provider/model/dimensions`. */
export async function listSpaces(db: WorkspaceDatabase, scopes: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ space: string }>(SPACES, [scopes]);
  return rows.map(({ space }) => space);
}
