import { z } from "zod";

/** Tools that the client of a task executes itself, and how the model may use them. */
export const clientTools = z
  .object({
    tools: z
      .array(
        z
          .object({
            name: z.string(),
            description: z.string(),
            /** A JSON Schema of the arguments, which form an object. */
            inputSchema: z.record(z.string(), z.unknown()).readonly(),
          })
          .readonly(),
      )
      .readonly(),
    /** How the model uses tools in the first call after the client's request: as it decides, at least one, or this one. */
    choice: z.union([z.enum(["auto", "required"]), z.object({ name: z.string() }).readonly()]),
    /** Whether the model may call several of them at once. */
    parallel: z.boolean(),
  })
  .readonly();

/** See {@link clientTools}. */
export type ClientTools = z.output<typeof clientTools>;

/** What a client offers that has no tools. */
export const NO_CLIENT_TOOLS: ClientTools = { tools: [], choice: "auto", parallel: true };

const clientCall = z.strictObject({
  /** The field of the form that takes the result. */
  field: z.string(),
  toolCallId: z.string(),
  name: z.string(),
  /** JSON text. */
  arguments: z.string(),
});

/** Calls of a client's tools that a run waits for; they are part of the question for their results. */
export const clientCalls = z.strictObject({
  calls: z.array(clientCall).min(1).readonly(),
  /** How many model calls the run has made so far. */
  modelCalls: z.int().positive(),
});

/** See {@link clientCalls}. */
export type ClientCalls = Readonly<z.output<typeof clientCalls>>;

/** A call of a client's tool. */
export type ClientCall = Readonly<z.output<typeof clientCall>>;

/** What a client returned for calls of its tools, by `toolCallId`. */
export type ClientResults = ReadonlyMap<string, string>;
