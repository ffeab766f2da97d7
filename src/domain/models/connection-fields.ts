import { z } from "zod";

/** A part of a host name, which cannot lead to another host. */
const hostPart = z
  .string()
  .trim()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, "must consist of lower-case letters, digits and hyphens");

/** The ways to call OpenAI's models. */
export const OPENAI_APIS = ["responses", "chat"] as const;

/** What a connection to a provider has besides its key and its base URL, none of it secret. Each provider has some. */
export const connectionFields = z.object({
  resource: hostPart.optional().describe("Azure OpenAI: the name of the resource."),
  region: hostPart
    .optional()
    .describe("Amazon Bedrock: the AWS region. Google Vertex AI: the location, by default `global`."),
  project: z
    .string()
    .trim()
    .regex(/^[a-z0-9](?:[a-z0-9.:-]{0,98}[a-z0-9])?$/, "must be the id of a Google Cloud project")
    .optional()
    .describe("Google Vertex AI: the id of the project, by default that of the service account."),
  api: z
    .enum(OPENAI_APIS)
    .optional()
    .describe("OpenAI and Azure OpenAI: `chat` for an endpoint without the Responses API; found by the first call."),
});

/** The fields of one connection. */
export type ConnectionFields = Readonly<z.output<typeof connectionFields>>;

/** The name of a field. */
export type ConnectionField = keyof ConnectionFields;

/** The names of all fields. */
export const CONNECTION_FIELDS = ["resource", "region", "project", "api"] as const satisfies readonly ConnectionField[];

/** The fields that say where requests go. A key of the instance is never sent where a workspace says. */
export const ADDRESS_FIELDS = ["resource", "region", "project"] as const satisfies readonly ConnectionField[];
