import { z } from "zod";
import { RemoteAgentError } from "./remote-card.ts";

const optional = z.string().nullish().catch(undefined);

const part = z.looseObject({
  text: z.string().optional(),
  data: z.unknown().optional(),
  url: z.string().optional(),
  filename: optional,
  mediaType: optional,
  raw: z.string().optional(),
  file: z
    .looseObject({ uri: optional, name: optional, mimeType: optional, bytes: optional })
    .optional()
    .catch(undefined),
});
const parts = z.array(part).catch([]);
/** An answer without a task: a message is known by its parts. */
const message = z.looseObject({ parts: z.array(part), taskId: optional, contextId: optional });
const status = z.looseObject({
  state: z.string(),
  timestamp: optional,
  message: z.looseObject({ parts, messageId: optional }).nullish().catch(undefined),
});
const said = z.looseObject({ role: z.string().catch(""), parts });
const artifact = z.looseObject({ artifactId: z.string().catch(""), parts });
const ids = { taskId: z.string(), contextId: optional };

const task = z.looseObject({
  id: z.string().min(1).max(1_000),
  contextId: optional,
  status,
  artifacts: z.array(artifact).nullish().catch(undefined),
  history: z.array(said).nullish().catch(undefined),
});
const statusUpdate = z.looseObject({ ...ids, status });
const artifactUpdate = z.looseObject({ ...ids, artifact, append: z.boolean().catch(false) });

const result = z.union([
  z.looseObject({ task }).transform((given) => ({ task: given.task })),
  z.looseObject({ statusUpdate }).transform((given) => ({ statusUpdate: given.statusUpdate })),
  z.looseObject({ artifactUpdate }).transform((given) => ({ artifactUpdate: given.artifactUpdate })),
  z.looseObject({ message }).transform((given) => ({ message: given.message })),
  task.transform((given) => ({ task: given })),
  artifactUpdate.transform((given) => ({ artifactUpdate: given })),
  statusUpdate.transform((given) => ({ statusUpdate: given })),
  message.transform((given) => ({ message: given })),
]);

/** A message of a task's history. */
export type HistoryMessage = z.output<typeof said>;

/** A result of a method or a stream, in either version of A2A: a task, a change of one, or a message without a task. */
export type RemoteResult = z.output<typeof result>;

/** The status of a remote task, with the message that explains it. */
export type RemoteStatus = z.output<typeof status>;

/** A part of a remote agent's output: text, data, a link to a file, or a file in base64. */
export type RemotePart = z.output<typeof part>;

/** Parses a result. @throws RemoteAgentError for an unknown shape */
export function parseResult(given: unknown): RemoteResult {
  const parsed = result.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new RemoteAgentError("The remote agent answers with something that is not of A2A.");
}
