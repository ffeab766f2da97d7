import { parseAst } from "vitest/node";

/** A node of a syntax tree as the parser returns it. */
export type SyntaxNode = Readonly<Record<string, unknown>> & { readonly type: string };

/** All nodes of a TypeScript source, parents first. @throws SyntaxError-like errors of the parser */
export function syntaxNodes(source: string, lang: "ts" | "tsx" = "ts"): SyntaxNode[] {
  return nodesIn(parseAst(source, { lang }));
}

/** All nodes in a node, or in the value of one of its properties, parents first. */
export function nodesIn(value: unknown): SyntaxNode[] {
  return [...walk(value)];
}

function* walk(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const item of value) yield* walk(item);
  if (!isSyntaxNode(value)) return;
  yield value;
  for (const child of Object.values(value)) yield* walk(child);
}

/** Whether a property of a node is a node itself. */
export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
