/** What differs each time: on pages it is shown as it was once, and here replaced on both sides. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f])/g, "<id>"],
  [/\b01[\da-f]{2,6}-?…/g, "<id>"],
  [/\breq_[\da-f]+\b/g, "<request>"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, "<time>"],
  [/\b\d{4}-\d\d-\d\d\b/g, "<date>"],
  [/\b1[789]\d{8}(?:\d{3})?\b/g, "<time>"],
  [/\b\d+(?:\.\d+)? (?:ms|s)\b/g, "<duration>"],
];
const ANYTHING = "…";

/**
 * Compares what a block printed with what its page shows, and returns how they differ; undefined when they agree.
 * `…` on a page is any text within a line, and alone on a line any lines. Ids, times and durations may differ. In JSON
 * `"…"` is any value, a member `"…": "…"` any further members, and `"…"` at the end of an array any further elements.
 */
export function compareOutput(shown: { readonly lang: string; readonly text: string }, printed: string) {
  const agrees = shown.lang === "json" ? jsonAgrees(shown.text, printed) : textAgrees(shown.text, printed);
  return agrees ? undefined : `The page shows:\n${shown.text}\n\nIt printed:\n${printed}`;
}

function textAgrees(shown: string, printed: string): boolean {
  return patternOf(normalise(shown)).test(normalise(printed));
}

function normalise(text: string): string {
  const trimmed = text.trim().replaceAll(/[ \t\r]+$/gm, "");
  return VARYING.reduce((rest, [pattern, name]) => rest.replaceAll(pattern, name), trimmed);
}

function patternOf(text: string): RegExp {
  const lines = text.split("\n").map((line) => {
    if (line.trim() === ANYTHING) return "(?:.*\n)*?.*";
    // Columns are as wide as what varies in them.
    return line.split(ANYTHING).map(escaped).join(".*?").replaceAll(/ {2,}/g, " +");
  });
  return new RegExp(`^${lines.join("\n")}$`);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function jsonAgrees(shown: string, printed: string): boolean {
  try {
    return agrees(JSON.parse(shown), JSON.parse(printed));
  } catch {
    return false;
  }
}

function agrees(shown: unknown, printed: unknown): boolean {
  if (shown === ANYTHING) return true;
  if (typeof shown === "string") return typeof printed === "string" && textAgrees(shown, printed);
  if (typeof shown === "number") return textAgrees(String(shown), String(printed));
  if (Array.isArray(shown)) return Array.isArray(printed) && elementsAgree(shown, printed);
  if (isObject(shown)) return isObject(printed) && membersAgree(shown, printed);
  return shown === printed;
}

function elementsAgree(shown: readonly unknown[], printed: readonly unknown[]): boolean {
  const isOpen = shown.at(-1) === ANYTHING;
  const fixed = isOpen ? shown.slice(0, -1) : shown;
  if (isOpen ? printed.length < fixed.length : printed.length !== fixed.length) return false;
  return fixed.every((element, index) => agrees(element, printed[index]));
}

type Members = Readonly<Record<string, unknown>>;

function membersAgree({ [ANYTHING]: rest, ...shown }: Members, printed: Members): boolean {
  if (rest === undefined && Object.keys(printed).length !== Object.keys(shown).length) return false;
  return Object.entries(shown).every(([name, value]) => Object.hasOwn(printed, name) && agrees(value, printed[name]));
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
