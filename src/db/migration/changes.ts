import { outlineOf } from "./statements.ts";

/** What a statement of a migration touches. */
export interface Change {
  /** A table, or what the statement names otherwise. */
  readonly object: string;
  /** The mode of its lock, as PostgreSQL names it; null when nothing that exists is locked. */
  readonly lock: string | null;
}

/** A statement's beginning, and the lock that it takes on the object that the first group names. */
const RULES: readonly (readonly [RegExp, string | null])[] = [
  [/^create (?:unlogged )?table (?:if not exists )?(\S+)/i, null],
  [/^alter table (?:if exists )?(?:only )?(\S+) validate constraint /i, "SHARE UPDATE EXCLUSIVE"],
  [/^alter table (?:if exists )?(?:only )?(\S+) add (?:constraint \S+ )?foreign key/i, "SHARE ROW EXCLUSIVE"],
  [/^alter table (?:if exists )?(?:only )?(\S+)/i, "ACCESS EXCLUSIVE"],
  [/^create (?:unique )?index concurrently (?:if not exists )?\S+ on (?:only )?([^\s(]+)/i, "SHARE UPDATE EXCLUSIVE"],
  [/^create (?:unique )?index (?:if not exists )?(?:\S+ )?on (?:only )?([^\s(]+)/i, "SHARE"],
  [/^alter index (?:if exists )?(\S+) rename /i, "SHARE UPDATE EXCLUSIVE"],
  [/^drop index concurrently (?:if exists )?(\S+)/i, "SHARE UPDATE EXCLUSIVE"],
  [/^(?:create|alter|drop) policy (?:if exists )?\S+ on (\S+)/i, "ACCESS EXCLUSIVE"],
  [/^create (?:or replace )?(?:constraint )?trigger \S+ .*? on (\S+)/i, "SHARE ROW EXCLUSIVE"],
  [/^drop trigger (?:if exists )?\S+ on (\S+)/i, "ACCESS EXCLUSIVE"],
  [/^(?:insert into|delete from(?: only)?|update(?: only)?) (\S+)/i, "ROW EXCLUSIVE"],
  [/^lock (?:table )?(\S+)$/i, "ACCESS EXCLUSIVE"],
];

const DROP =
  /^drop (?:materialized view|table|view|index|function|type|sequence) (?:if exists )?(.+?)(?: cascade| restrict)?$/i;
const HARMLESS =
  /^(?:create (?:or replace )?(?:function|view|schema|type|sequence|extension|role)|grant|revoke|comment|set) /i;
const REFERENCES = /\breferences ([^\s(,;]+)/gi;

/**
 * What the statements of a migration touch, and how they lock it, read from their text: nothing is locked to find out.
 * A statement that it does not know, such as a `do` block, is shown with the lock "unknown".
 */
export function changesOf(sql: string): readonly Change[] {
  const all = outlineOf(sql).flatMap(changesOfStatement);
  const fresh = new Set<string>();
  const touched = all.filter(({ object, lock }) => {
    if (lock === null) fresh.add(object);
    return lock === null || !fresh.has(object);
  });
  return [...new Map(touched.map((change) => [`${change.object} ${change.lock}`, change])).values()];
}

function changesOfStatement(text: string): readonly Change[] {
  const dropped = DROP.exec(text)?.[1];
  if (dropped !== undefined) return dropped.split(/, ?/).map((object) => ({ object, lock: "ACCESS EXCLUSIVE" }));
  const found = RULES.flatMap(([pattern, lock]) => {
    const object = pattern.exec(text)?.[1];
    return object === undefined ? [] : [{ object, lock }];
  })[0];
  if (found === undefined) return HARMLESS.test(text) ? [] : [{ object: clipped(text), lock: "unknown" }];
  if (!/^(?:create|alter)\b.*\btable\b/i.test(text)) return [found];
  const referred = [...text.matchAll(REFERENCES)].flatMap(([, object]) => object ?? []);
  return [
    found,
    ...referred.filter((object) => object !== found.object).map((object) => ({ object, lock: "SHARE ROW EXCLUSIVE" })),
  ];
}

function clipped(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
