import { isSyntaxNode, nodesIn, syntaxNodes } from "../checks/syntax.ts";
import type { SyntaxNode } from "../checks/syntax.ts";

const CLAIM = "verifies";

/** What a test file claims to prove. */
export interface Claims {
  /** The requirement ids that the file names, without repeats. */
  readonly ids: readonly string[];
  /** Lines of `verifies(` calls whose ids cannot be read from the source. */
  readonly unreadableLines: readonly number[];
}

/**
 * Reads from a TypeScript test file's source which requirements it claims to prove: the string literals in the
 * first argument of each `verifies(…)` call and in the value of each property called `verifies`.
 * @throws SyntaxError-like errors of the parser when the source is not TypeScript.
 */
export function claimedIds(source: string): Claims {
  const nodes = syntaxNodes(source);
  const calls = nodes.filter(isClaimCall);
  const rows = nodes.filter(isClaimProperty).map((property) => property["value"]);
  const ids = [...calls.map(firstArgument), ...rows].flatMap(stringsIn);
  const unreadable = calls.filter((call) => !isReadable(firstArgument(call)));
  return {
    ids: [...new Set(ids)],
    unreadableLines: unreadable.map((call) => lineOf(source, call)),
  };
}

function isClaimCall(node: SyntaxNode): boolean {
  return node.type === "CallExpression" && isNamed(node["callee"]);
}

function isClaimProperty(node: SyntaxNode): boolean {
  return node.type === "Property" && isNamed(node["key"]);
}

function isNamed(value: unknown): boolean {
  if (!isSyntaxNode(value)) return false;
  return value.type === "Identifier" ? value["name"] === CLAIM : value["value"] === CLAIM;
}

function firstArgument(call: SyntaxNode): unknown {
  const list = call["arguments"];
  return Array.isArray(list) ? list[0] : undefined;
}

function stringsIn(value: unknown): readonly string[] {
  return nodesIn(value).flatMap((node) => {
    const text = node.type === "TemplateElement" ? cookedText(node["value"]) : node["value"];
    return typeof text === "string" ? [text] : [];
  });
}

function cookedText(value: unknown): unknown {
  return typeof value === "object" && value !== null && "cooked" in value ? value.cooked : undefined;
}

/** Ids are in the argument itself, or it is taken from a property called `verifies`. */
function isReadable(argument: unknown): boolean {
  if (stringsIn(argument).length > 0) return true;
  return nodesIn(argument).some((node) => isNamed(node));
}

function lineOf(source: string, node: SyntaxNode): number {
  return source.slice(0, Number(node["start"])).split("\n").length;
}
