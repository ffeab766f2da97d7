/** A comment, a string, or a quoted body: semicolons and words in it are no SQL of the file itself. */
const OPAQUE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1/g;

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
  return sql.replace(OPAQUE, (opaque) => (/^(--|\/\*)/.test(opaque) ? " " : string(opaque)));
}

function separate(sql: string): readonly string[] {
  return sql
    .split(";")
    .map((text) => text.trim())
    .filter((text) => text !== "");
}
