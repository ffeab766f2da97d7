import { z } from "zod";

const cachePoint = z.strictObject({ cachePoint: z.looseObject({ type: z.literal("default") }) });

const block = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ toolUse: z.strictObject({ toolUseId: z.string(), name: z.string(), input: z.unknown() }) }),
  z.strictObject({
    toolResult: z.strictObject({
      toolUseId: z.string(),
      content: z.array(z.looseObject({})),
      status: z.enum(["success", "error"]).optional(),
    }),
  }),
  z.strictObject({
    reasoningContent: z.strictObject({
      reasoningText: z.strictObject({ text: z.string(), signature: z.string().optional() }),
    }),
  }),
  z.strictObject({ image: z.looseObject({}) }),
  cachePoint,
]);

/** A block of a message. */
export type BedrockBlock = z.output<typeof block>;

/** A request to the Converse API; fields that it does not have are rejected, as Amazon does. */
export const converseRequest = z.strictObject({
  messages: z.array(z.strictObject({ role: z.enum(["user", "assistant"]), content: z.array(block) })),
  system: z.array(z.union([z.strictObject({ text: z.string() }), cachePoint])).optional(),
  inferenceConfig: z
    .strictObject({
      maxTokens: z.int().min(1).optional(),
      temperature: z.number().min(0).max(1).optional(),
      topP: z.number().optional(),
      stopSequences: z.array(z.string()).optional(),
    })
    .optional(),
  toolConfig: z
    .strictObject({
      tools: z
        .array(
          z.union([
            z.strictObject({
              toolSpec: z.strictObject({
                name: z.string(),
                description: z.string().min(1).optional(),
                inputSchema: z.strictObject({ json: z.unknown() }),
                strict: z.boolean().optional(),
              }),
            }),
            cachePoint,
          ]),
        )
        .min(1),
      toolChoice: z.looseObject({}).optional(),
    })
    .optional(),
  additionalModelRequestFields: z
    .looseObject({
      thinking: z.looseObject({ type: z.string(), display: z.string().optional() }).optional(),
      output_config: z.looseObject({ effort: z.string().optional() }).optional(),
    })
    .optional(),
  additionalModelResponseFieldPaths: z.array(z.string()).optional(),
});

/** A request that has Amazon's form. */
export type ConverseRequest = z.output<typeof converseRequest>;
