/** What begins a comment, a string or a quoted body: semicolons and words in it are no SQL of the file itself. */
const OPENING = /--|\/\*|'|\$\w*\$/g;
/** What ends a comment; a string and a quoted body end as they begin. */
const COMMENT_ENDS: Readonly<Record<string, string>> = { "--": "\n", "/*": "*/" };

/** The statements of a migration without comments: on one line each, and with strings and quoted bodies left empty. */
export function outlineOf(sql: string): readonly string[] {
  return separate(mask(sql, () => "''")).map((text) => text.replace(/\s+/g, " "));
}

/** The statements of a migration, without comments. */
export function statementsOf(sql: string): readonly string[] {
  const strings: string[] = [];
  const masked = mask(sql, (string) => `\0${strings.push(string) - 1}\0`);
  return separate(masked).map((text) => text.replace(/\0(\d+)\0/g, (_, index) => strings[Number(index)] ?? ""));
}

function mask(sql: string, string: (text: string) => string): string {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: opening, index } of sql.matchAll(OPENING)) {
    if (index < end) continue;
    const comment = COMMENT_ENDS[opening];
    const closing = comment ?? opening;
    const closed = sql.indexOf(closing, index + opening.length);
    const next = closed === -1 ? sql.length : closed + closing.length;
    parts.push(sql.slice(end, index), comment === undefined ? string(sql.slice(index, next)) : " ");
    end = next;
  }
  return [...parts, sql.slice(end)].join("");
}

function separate(sql: string): readonly string[] {
  return sql
    .split(";")
    .map((text) => text.trim())
    .filter((text) => text !== "");
}
