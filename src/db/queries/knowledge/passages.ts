import type { Tenant } from "#domain/access/role.ts";
import type { Database, Statement } from "../../database.ts";
import { pgvectorSchema } from "../../pgvector.ts";

/** Vectors that are near by their codes, of which the nearest are then found by their values: far quicker with pgvector. */
const SHORTLIST = 400;
const SHORTLIST_OF_PGVECTOR = 1_000;
/** Spaces that one question is asked in. */
const MAX_SPACES = 4;

/** Where to look for passages. */
export interface PassageFilter {
  /** Knowledge bases, or other things that are searched as one. */
  readonly scopes: readonly string[];
  /** Only passages of these documents; undefined: of all. */
  readonly documents?: readonly string[] | undefined;
  /** How many to rank. */
  readonly most: number;
}

const BY_KEYWORDS = {
  name: "rank-passages-by-words",
  text: `select id from search_passages($1, $2, $3, $4)`,
};

/** The ids of the passages that have the words of a question, best first. */
export async function rankByKeywords(
  db: Database,
  tenant: Tenant,
  { question, scopes, documents, most }: PassageFilter & { readonly question: string },
): Promise<string[]> {
  const rows = await db.queryInWorkspace<{ id: string }>(tenant, BY_KEYWORDS, [
    question,
    scopes,
    documents ?? null,
    most,
  ]);
  return rows.map(({ id }) => id);
}

const BY_MEANING = nearest({
  name: "rank-passages-by-meaning",
  between: "bit_count(e.code # (select vector_code($3::real[])))",
  shortlist: SHORTLIST,
  apart: "(select -sum(a * b) from unnest(e.embedding, $3::real[]) as t (a, b))",
});

function byMeaningWithPgvector(schema: string): Statement {
  return nearest({
    name: "rank-passages-by-meaning-with-pgvector",
    between: `e.code operator(${schema}.<~>) (select vector_code($3::real[]))`,
    shortlist: SHORTLIST_OF_PGVECTOR,
    apart: `e.embedding::${schema}.vector operator(${schema}.<#>) ($3::real[])::${schema}.vector`,
  });
}

interface Distances {
  readonly name: string;
  /** How far the code of an embedding `e` is from that of the question `$3`. */
  readonly between: string;
  readonly shortlist: number;
  /** How far their values are apart. */
  readonly apart: string;
}

// In two looks: at the codes of all vectors in scope, then at the values of those that are near by them. There is no
// index of neighbours: it would be one of all workspaces, of which a search wants few, and it finds less.
function nearest({ name, between, shortlist, apart }: Distances): Statement {
  return {
    name,
    text: `
      with near as materialized (
        select e.passage_id from passage_embeddings e
        where e.scope = any ($1) and e.space = $2
          and ($4::uuid[] is null
            or (select p.document_id from passages p where p.id = e.passage_id) = any ($4))
        order by ${between} limit ${shortlist}
      )
      select e.passage_id as id
      from near join passage_embeddings e on e.passage_id = near.passage_id
      order by ${apart}, e.passage_id limit $5`,
  };
}

/** A question as a vector of one space. */
export interface QuestionVector {
  readonly space: string;
  readonly vector: readonly number[];
}

/** The ids of the passages whose vectors are nearest to a question's, nearest first. */
export async function rankByMeaning(
  db: Database,
  tenant: Tenant,
  { space, vector, scopes, documents, most }: PassageFilter & QuestionVector,
): Promise<string[]> {
  const schema = await pgvectorSchema(db);
  const statement = schema === undefined ? BY_MEANING : byMeaningWithPgvector(schema);
  const values = [scopes, space, vector, documents ?? null, most];
  const rows = await db.queryInWorkspace<{ id: string }>(tenant, statement, values);
  return rows.map(({ id }) => id);
}

// Jumps from space to space in the index: there are few of them, whatever the number of vectors.
const SPACES = {
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
};

/** The spaces in which passages of these scopes are embedded, as `provider/model/dimensions`. */
export async function listSpaces(db: Database, tenant: Tenant, scopes: readonly string[]): Promise<string[]> {
  const rows = await db.queryInWorkspace<{ space: string }>(tenant, SPACES, [scopes]);
  return rows.map(({ space }) => space);
}
