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
            /** A JSON Schema of the arguments, an object. */
            inputSchema: z.record(z.string(), z.unknown()).readonly(),
          })
          .readonly(),
      )
      .readonly(),
    /** How the model uses tools in the first call after the client's request: freely, at least one, or this one. */
    choice: z.union([z.enum(["auto", "required"]), z.object({ name: z.string() }).readonly()]),
    /** Whether the model may call several of them in parallel. */
    parallel: z.boolean(),
  })
  .readonly();

/** See {@link clientTools}. */
export type ClientTools = z.output<typeof clientTools>;

/** The value for a client without tools. */
export const NO_CLIENT_TOOLS: ClientTools = { tools: [], choice: "auto", parallel: true };

const clientCall = z.strictObject({
  /** The form field for the result. */
  field: z.string(),
  toolCallId: z.string(),
  name: z.string(),
  /** JSON text. */
  arguments: z.string(),
});

/** Client tool calls that a run waits for; they are part of the question for their results. */
export const clientCalls = z.strictObject({
  calls: z.array(clientCall).min(1).readonly(),
  /** The number of the run's model calls so far. */
  modelCalls: z.int().positive(),
});

/** See {@link clientCalls}. */
export type ClientCalls = Readonly<z.output<typeof clientCalls>>;

/** A client tool call. */
export type ClientCall = Readonly<z.output<typeof clientCall>>;

/** The results of client tool calls, by `toolCallId`. */
export type ClientResults = ReadonlyMap<string, string>;
