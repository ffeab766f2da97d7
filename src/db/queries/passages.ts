import type { Tenant } from "#domain/role.ts";
import type { Database } from "../database.ts";

/** Vectors that are near by their signs, of which the nearest are then found by their values. */
const SHORTLIST = 200;
/** Spaces that one question is asked in. */
const MOST_SPACES = 4;

/** Where to look for passages. */
export interface PassageFilter {
  /** Knowledge bases, or other things that are searched as one. */
  readonly scopes: readonly string[];
  /** Only passages of these documents; undefined: of all. */
  readonly documents?: readonly string[] | undefined;
  /** How many to rank. */
  readonly most: number;
}

const BY_WORDS = {
  name: "rank-passages-by-words",
  text: `select id from search_passages($1, $2, $3, $4)`,
};

/** The ids of the passages that have the words of a question, best first. */
export async function rankByWords(
  db: Database,
  tenant: Tenant,
  { question, scopes, documents, most }: PassageFilter & { readonly question: string },
): Promise<string[]> {
  const rows = await db.queryInWorkspace<{ id: string }>(tenant, BY_WORDS, [question, scopes, documents ?? null, most]);
  return rows.map(({ id }) => id);
}

// In two looks: at the signs of all vectors, then at the values of those that are near by them.
const BY_MEANING = {
  name: "rank-passages-by-meaning",
  text: `
    with near as materialized (
      select e.passage_id from passage_embeddings e
      where e.scope = any ($1) and e.space = $2
        and ($5::uuid[] is null
          or (select p.document_id from passages p where p.id = e.passage_id) = any ($5))
      order by bit_count(e.signs # $3::bit varying) limit ${SHORTLIST}
    )
    select e.passage_id as id
    from near join passage_embeddings e on e.passage_id = near.passage_id
    order by (select sum(a * b) from unnest(e.embedding, $4::real[]) as t (a, b)) desc, e.passage_id
    limit $6`,
};

/** A question as a vector of one space. */
export interface QuestionVector {
  readonly space: string;
  readonly vector: readonly number[];
  /** Its signs, a bit each. */
  readonly signs: string;
}

/** The ids of the passages whose vectors are nearest to a question's, nearest first. */
export async function rankByMeaning(
  db: Database,
  tenant: Tenant,
  { space, vector, signs, scopes, documents, most }: PassageFilter & QuestionVector,
): Promise<string[]> {
  const values = [scopes, space, signs, vector, documents ?? null, most];
  const rows = await db.queryInWorkspace<{ id: string }>(tenant, BY_MEANING, values);
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
    select distinct space from spaces where space is not null order by space limit ${MOST_SPACES}`,
};

/** The spaces in which passages of these scopes are embedded, as `provider/model/dimensions`. */
export async function listSpaces(db: Database, tenant: Tenant, scopes: readonly string[]): Promise<string[]> {
  const rows = await db.queryInWorkspace<{ space: string }>(tenant, SPACES, [scopes]);
  return rows.map(({ space }) => space);
}
