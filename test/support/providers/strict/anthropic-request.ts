import { z } from "zod";
import { digest, tokensOf } from "./tokens.ts";

const cacheControl = { cache_control: z.looseObject({ type: z.literal("ephemeral") }).optional() };

const block = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string(), ...cacheControl }),
  z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.strictObject({
    type: z.literal("tool_use"),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    ...cacheControl,
  }),
  z.strictObject({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.unknown(),
    is_error: z.boolean().optional(),
    ...cacheControl,
  }),
  z.looseObject({ type: z.literal("image"), ...cacheControl }),
]);

/** A block of a message. */
export type AnthropicBlock = z.output<typeof block>;

const blocks = z.union([z.string().transform((text): AnthropicBlock[] => [{ type: "text", text }]), z.array(block)]);

/** A request to the Messages API; fields that it does not have are rejected, as the vendor does. */
export const anthropicRequest = z.strictObject({
  model: z.string(),
  max_tokens: z.int(),
  system: blocks.optional(),
  messages: z.array(z.strictObject({ role: z.enum(["user", "assistant"]), content: blocks })),
  tools: z.array(z.looseObject({ name: z.string(), input_schema: z.unknown(), ...cacheControl })).optional(),
  tool_choice: z.looseObject({ type: z.string() }).optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  top_k: z.number().optional(),
  thinking: z.looseObject({ type: z.string().optional(), display: z.string().optional() }).optional(),
  output_config: z
    .looseObject({ effort: z.string().optional(), format: z.looseObject({ schema: z.unknown() }).optional() })
    .optional(),
  stop_sequences: z.array(z.string()).optional(),
  metadata: z.unknown().optional(),
  cache_control: z.unknown().optional(),
  stream: z.literal(true),
});

/** A request that has the vendor's form. */
export type AnthropicRequest = z.output<typeof anthropicRequest>;

/** What thinking is bound to: everything before it, marks of the cache excepted. */
export function prefixOf(
  { system, tools, messages }: AnthropicRequest,
  until: number = messages.length,
): readonly unknown[] {
  return [tools ?? [], system ?? [], messages.slice(0, until)].map(withoutMarks);
}

/** The signature of a thinking block. */
export function signatureOf(
  model: string,
  { prefix, thinking }: { readonly prefix: readonly unknown[]; readonly thinking: string },
): string {
  return `${model}.${digest(model, prefix, thinking)}`;
}

function withoutMarks(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === "cache_control" ? undefined : each)));
}

/** The smallest prompt that is cached, by model. */
const MINIMUM: readonly (readonly [RegExp, number])[] = [
  [/opus-[5-9]|fable/, 512],
  [/haiku|opus-4-[56]/, 4_096],
];
const LOOK_BACK = 20;

/** The cache of the Messages API: https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
export function createAnthropicCache() {
  const written = new Set<string>();
  return {
    /** Counts a request's input as the vendor does, and writes its prefix up to each breakpoint. */
    read(request: AnthropicRequest): Readonly<Record<string, number>> {
      const pieces = piecesOf(request);
      const minimum = MINIMUM.find(([model]) => model.test(request.model))?.[1] ?? 1_024;
      const marks = pieces.flatMap(({ isMarked, tokens }, index) => (isMarked && tokens >= minimum ? [index] : []));
      const isHit = (index: number) => written.has(pieces[index]?.prefix ?? "");
      const hits = marks.flatMap((mark) =>
        Array.from({ length: LOOK_BACK + 1 }, (_, back) => mark - back).filter((index) => index >= 0 && isHit(index)),
      );
      const tokensAt = (index: number | undefined) => (index === undefined ? 0 : (pieces[index]?.tokens ?? 0));
      const read = tokensAt(hits.length === 0 ? undefined : Math.max(...hits));
      const marked = tokensAt(marks.at(-1));
      for (const mark of marks) written.add(pieces[mark]?.prefix ?? "");
      return {
        input_tokens: (pieces.at(-1)?.tokens ?? 0) - Math.max(marked, read),
        cache_read_input_tokens: read,
        cache_creation_input_tokens: Math.max(0, marked - read),
      };
    },
  };
}

interface Piece {
  readonly isMarked: boolean;
  /** The tokens of the prompt up to here. */
  readonly tokens: number;
  readonly prefix: string;
}

function piecesOf({ tools = [], system = [], messages }: AnthropicRequest): readonly Piece[] {
  let tokens = 0;
  let prefix = "";
  const all = [
    ...tools,
    ...system,
    ...messages.flatMap(({ role, content }) => content.map((each) => ({ role, ...each }))),
  ];
  return all.map((piece) => {
    const bare = withoutMarks(piece);
    tokens += tokensOf(bare);
    prefix = digest(prefix, bare);
    return { isMarked: "cache_control" in piece && piece.cache_control !== undefined, tokens, prefix };
  });
}
