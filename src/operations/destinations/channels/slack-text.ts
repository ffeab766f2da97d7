/** What a person wrote, as people read it, without the mention of the app itself. @param own the app's user id, if known */
export function readSlackText(text: string, own?: string): string {
  return text
    .replaceAll(/<([^<>]*)>/g, (_, inside: string) => readReference(inside, own))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}

/** Reads `@U1|ana`, `#C1|general`, `!here` or `https://…|label` as people see it. */
function readReference(inside: string, own: string | undefined): string {
  const [target = "", ...rest] = inside.split("|");
  const label = rest.join("|");
  if (target.startsWith("@")) return target.slice(1) === own ? "" : `@${label || target.slice(1)}`;
  if (target.startsWith("#") || target.startsWith("!")) return label || target.slice(1);
  return label === "" || label === target ? target : `${label} (${target})`;
}
