import { dirname, join, normalize, relative } from "node:path";
import { isSyntaxNode, syntaxNodes } from "./syntax.ts";
import type { SyntaxNode } from "./syntax.ts";

/** How a file is imported. */
export type Kind = "static" | "type" | "dynamic";
/** An import of a file. */
export interface Import {
  /** The importing file, below its root. */
  readonly from: string;
  /** As it is written. */
  readonly specifier: string;
  /** The imported file, below the root; undefined for a package or for data. */
  readonly to: string | undefined;
  readonly kind: Kind;
}

/** The imports of a file, however they are written. */
export function importsOf(from: string, source: string): Import[] {
  return syntaxNodes(source, from.endsWith("x") ? "tsx" : "ts").flatMap((node) => {
    const kind = kindOf(node);
    const specifier = literalIn(node["source"]);
    return kind === undefined || specifier === undefined
      ? []
      : [{ from, specifier, to: resolve(from, specifier), kind }];
  });
}

function kindOf(node: SyntaxNode): Kind | undefined {
  if (node.type === "ImportExpression") return "dynamic";
  if (node.type === "ImportDeclaration") return node["importKind"] === "type" ? "type" : "static";
  if (node.type === "ExportNamedDeclaration" || node.type === "ExportAllDeclaration") {
    return node["exportKind"] === "type" ? "type" : "static";
  }
  return undefined;
}

/** The text of a string literal; a computed import has none and cannot be checked. */
function literalIn(value: unknown): string | undefined {
  return isSyntaxNode(value) && typeof value["value"] === "string" ? value["value"] : undefined;
}

function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (!specifier.startsWith(".") || specifier.endsWith(".json")) return undefined;
  return relative("/", normalize(join("/", dirname(from), specifier)));
}
