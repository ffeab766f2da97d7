import { AgentCard, ListTasksResponse, SendMessageResponse, StreamResponse, Task } from "@a2a-js/sdk";
import { z } from "zod";
import { isLossless } from "./codec.ts";

// The objects of both versions as their specifications have them, without any other field, those of 1.0 judged by the
// codecs of the official SDK as well:
// https://a2a-protocol.org/v0.3.0/specification/ and https://a2a-protocol.org/v1.0.0/specification/.

const time = z.iso.datetime();
const text = z.string().min(1);
const metadata = z.record(z.string(), z.unknown()).optional();

const part0 = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("text"), text: z.string(), metadata }),
  z.strictObject({ kind: z.literal("data"), data: z.record(z.string(), z.unknown()), metadata }),
  z.strictObject({
    kind: z.literal("file"),
    file: z.strictObject({ uri: z.url(), name: text.optional(), mimeType: text.optional() }),
    metadata,
  }),
]);
const message0 = z.strictObject({
  kind: z.literal("message"),
  messageId: text,
  role: z.enum(["user", "agent"]),
  parts: z.array(part0).min(1),
  taskId: text.optional(),
  contextId: text.optional(),
  metadata,
});
const status0 = z.strictObject({
  state: z.enum([
    "submitted",
    "working",
    "input-required",
    "completed",
    "canceled",
    "failed",
    "rejected",
    "auth-required",
  ]),
  timestamp: time.optional(),
  message: message0.optional(),
});
const artifact0 = z.strictObject({ artifactId: text, name: text.optional(), parts: z.array(part0).min(1), metadata });

/** A task of 0.3. */
export const task0 = z.strictObject({
  kind: z.literal("task"),
  id: text,
  contextId: text,
  status: status0,
  artifacts: z.array(artifact0).optional(),
  history: z.array(message0).optional(),
  metadata,
});

/** What a stream of 0.3 holds. */
export const event0 = z.discriminatedUnion("kind", [
  task0,
  z.strictObject({
    kind: z.literal("status-update"),
    taskId: text,
    contextId: text,
    status: status0,
    final: z.boolean(),
    metadata,
  }),
  z.strictObject({
    kind: z.literal("artifact-update"),
    taskId: text,
    contextId: text,
    artifact: artifact0,
    append: z.boolean().optional(),
    lastChunk: z.boolean().optional(),
    metadata,
  }),
]);

const described = { filename: text.optional(), mediaType: text.optional(), metadata };
const part1 = z.union([
  z.strictObject({ text: z.string(), ...described }),
  z.strictObject({ data: z.json(), ...described }),
  z.strictObject({ url: z.url(), ...described }),
]);
const message1 = z.strictObject({
  messageId: text,
  role: z.enum(["ROLE_USER", "ROLE_AGENT"]),
  parts: z.array(part1).min(1),
  taskId: text.optional(),
  contextId: text.optional(),
  metadata,
});
const status1 = z.strictObject({
  state: z.enum([
    "TASK_STATE_SUBMITTED",
    "TASK_STATE_WORKING",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_FAILED",
    "TASK_STATE_REJECTED",
    "TASK_STATE_AUTH_REQUIRED",
  ]),
  timestamp: time.optional(),
  message: message1.optional(),
});
const artifact1 = z.strictObject({ artifactId: text, name: text.optional(), parts: z.array(part1).min(1), metadata });

/** A task of 1.0. */
export const task1 = z
  .strictObject({
    id: text,
    contextId: text,
    status: status1,
    artifacts: z.array(artifact1).optional(),
    history: z.array(message1).optional(),
    metadata,
  })
  .refine((value) => isLossless(Task, value), "is not what the official codec makes of it");

/** What sending a message answers in 1.0. */
export const sent1 = z
  .strictObject({ task: task1 })
  .refine((value) => isLossless(SendMessageResponse, value), "is not what the official codec makes of it");

/** What a stream of 1.0 holds. */
export const event1 = z
  .union([
    sent1,
    z.strictObject({ statusUpdate: z.strictObject({ taskId: text, contextId: text, status: status1, metadata }) }),
    z.strictObject({
      artifactUpdate: z.strictObject({
        taskId: text,
        contextId: text,
        artifact: artifact1,
        append: z.boolean().optional(),
        lastChunk: z.boolean().optional(),
        metadata,
      }),
    }),
  ])
  .refine((value) => isLossless(StreamResponse, value), "is not what the official codec makes of it");

/** A page of tasks of 1.0. */
export const list1 = z
  .strictObject({
    tasks: z.array(task1),
    nextPageToken: z.string(),
    pageSize: z.int().min(0).max(100),
    totalSize: z.int().min(0),
  })
  .refine((value) => isLossless(ListTasksResponse, value), "is not what the official codec makes of it");

const modes = z.array(text).min(1);
const skills = z.array(z.strictObject({ id: text, name: text, description: text, tags: z.array(z.string()) }));
const interfaces = z
  .array(
    z.strictObject({
      url: z.url(),
      protocolBinding: z.enum(["JSONRPC", "HTTP+JSON"]),
      protocolVersion: z.enum(["1.0", "0.3"]),
    }),
  )
  .min(1);
const common = {
  name: text,
  description: text,
  version: text,
  defaultInputModes: modes,
  defaultOutputModes: modes,
  skills,
  supportedInterfaces: interfaces,
  signatures: z.array(z.strictObject({ protected: z.string(), signature: z.string() })).min(1),
  capabilities: z.strictObject({
    streaming: z.literal(true),
    pushNotifications: z.literal(true),
    extendedAgentCard: z.literal(true),
  }),
};

/** A card with the fields of 0.3 and the interfaces of 1.0. */
export const hybridCard = z.strictObject({
  ...common,
  protocolVersion: z.literal("0.3.0"),
  url: z.url(),
  preferredTransport: z.literal("JSONRPC"),
  supportsAuthenticatedExtendedCard: z.literal(true),
  securitySchemes: z.strictObject({ bearer: z.strictObject({ type: z.literal("http"), scheme: z.literal("bearer") }) }),
  security: z.tuple([z.strictObject({ bearer: z.tuple([]) })]),
});

/** A card of 1.0 and nothing else. */
export const strictCard = z
  .strictObject({
    ...common,
    securitySchemes: z.strictObject({
      bearer: z.strictObject({ httpAuthSecurityScheme: z.strictObject({ scheme: z.literal("bearer") }) }),
    }),
    securityRequirements: z.tuple([
      z.strictObject({ schemes: z.strictObject({ bearer: z.strictObject({ list: z.tuple([]) }) }) }),
    ]),
  })
  .refine((value) => isLossless(AgentCard, value), "is not what the official codec makes of it");
