import type { Document, LineCounter, YAMLError } from "yaml";
import { isRecord } from "#lib/is-record.ts";
import type { Mistake } from "./mistake.ts";

/** Loaded by the commands that read YAML. */
const loadYaml = () => import("yaml");
type Yaml = Awaited<ReturnType<typeof loadYaml>>;

const ALIAS = "is an alias (*), which is not read here: repeat the value";
const DEEP = "is nested too deeply";

/** Our words for the errors of files; others are the parser's. */
const REASONS: Readonly<Partial<Record<YAMLError["code"], string>>> = {
  TAB_AS_INDENT: "is indented by a tab: use spaces",
  DUPLICATE_KEY: "is a field that is there already",
  MULTIPLE_DOCS: "begins a second document: a file describes one record",
  BAD_ALIAS: ALIAS,
};

/** The fields of a file, and where they are. */
export interface ParsedDocument {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Returns the line of a field, or of the innermost field around it. */
  lineOf(path: readonly string[]): number;
}

/** Parses a file of YAML 1.2 without anchors and tags. Returns its mistakes instead if it has some. */
export async function parseDocument(file: string, text: string): Promise<ParsedDocument | readonly Mistake[]> {
  const yaml = await loadYaml();
  const lines = new yaml.LineCounter();
  const at = (offset: number | undefined) => lines.linePos(offset ?? 0).line;
  const mistake = (offset: number | undefined, message: string): Mistake => ({
    file,
    line: Math.max(1, at(offset)),
    path: "",
    message,
  });
  try {
    const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, version: "1.2" });
    // What follows the first fault is often its consequence.
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) return [mistake(fault.pos[0], reasonOf(fault))];
    const foreign = findForeign(yaml, document);
    if (foreign.length > 0) return foreign.map(({ offset, message }) => mistake(offset, message));
    const fields: unknown = document.toJS({ maxAliasCount: 0 });
    if (!isRecord(fields)) return [mistake(0, "is no record: a file has fields, such as resource: agent")];
    return { fields, lineOf: (path) => lineAt(yaml, { document, lines }, path) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [mistake(0, DEEP)];
  }
}

function reasonOf({ code, message }: YAMLError): string {
  if (message.includes("call stack")) return DEEP;
  return REASONS[code] ?? `is no YAML: ${message.split("\n")[0] ?? ""}`;
}

/** Finds what JSON does not have, and what could make a small file large. */
function findForeign({ visit, isAlias, isScalar }: Yaml, document: Document) {
  const found: { readonly offset: number | undefined; readonly message: string }[] = [];
  visit(document, {
    Node(_, node) {
      const message = isAlias(node)
        ? ALIAS
        : node.anchor !== undefined
          ? `has the anchor &${node.anchor}, which is not read here: repeat the value`
          : node.tag !== undefined
            ? `has the tag ${node.tag.replace("tag:yaml.org,2002:", "!!")}, which is not read here`
            : isScalar(node) && typeof node.value === "number" && !Number.isFinite(node.value)
              ? "is no number of JSON"
              : undefined;
      if (message !== undefined) found.push({ offset: node.range?.[0], message });
    },
  });
  return found;
}

function lineAt(
  { isMap, isSeq, isScalar, isNode }: Yaml,
  { document, lines }: { readonly document: Document; readonly lines: LineCounter },
  path: readonly string[],
): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      if (pair === undefined) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  return Math.max(1, lines.linePos(offset).line);
}
