import { z } from "zod";
import { describeIssue } from "#domain/errors.ts";
import { issuesOf } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { modelPrices } from "#domain/models/prices.ts";
import { EMBEDDING_MODEL } from "#domain/models/embedding.ts";
import { PLANS } from "#domain/access/plan.ts";
import { accounts } from "./accounts.ts";
import type { ToolSettings } from "#tools/define-tool.ts";
import { database } from "./database.ts";
import { deliveries, destinationBases, google, mailIssues, withoutUndefined } from "./destinations.ts";
import { keyIssues, secrets } from "./encryption.ts";
import { limits, quotas } from "./limits.ts";
import { oidc, oidcIssues } from "./oidc.ts";
import { proxy, withLowerCaseProxies } from "./proxy.ts";
import { readGiven } from "./given-settings.ts";
import { recording } from "./recording.ts";
import { traces } from "./traces.ts";
import { providerConnections, providerSettings } from "./providers.ts";
import type { ProviderConnections } from "./providers.ts";
import { count, hostUrl, initialKey, json } from "./forms.ts";
import { TOOL_SETTING_GROUPS, readToolSettings } from "./tools.ts";

const MIB = 1024 * 1024;

const optional = z.string().min(1).optional();
const flag = z.stringbool().default(false);

const service = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(4400).describe("Port of all surfaces; 0 takes a free one."),
  HOST: z.string().default("127.0.0.1").describe("Address to listen on; 0.0.0.0 opens it to the network."),
  OPS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe("Port of /metrics for Prometheus, without authentication; off when absent."),
  OPS_HOST: z.string().default("127.0.0.1").describe("Address on which OPS_PORT listens."),
  PUBLIC_URL: hostUrl.optional().describe("The service's public URL, without a path, if it is not http://HOST:PORT."),
  SERVICE_NAME: z
    .string()
    .min(1)
    .optional()
    .describe("The name on the console's pages (default: Muster) and in what is created elsewhere: [Service] My task."),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must be mailto:you@example.org or an https URL")
    .optional()
    .describe("Whom finders of a vulnerability should tell, as mailto: or https:; /.well-known/security.txt has it."),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must be mailto:you@example.org or an https URL")
    .optional()
    .describe("Whom push services of browsers can tell of problems, as mailto: or https: (default: PUBLIC_URL)."),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("warn")
    .describe("How much is logged on standard error: lines on a terminal, else JSON."),
  MAX_BODY_BYTES: count(MIB).describe("Maximum size of a request body, in bytes."),
  AG_UI_INTERRUPTS: z
    .stringbool()
    .default(true)
    .describe(
      "For standard AG-UI clients, a question to a person ends the run, and `resume` answers it; false: the stream waits.",
    ),
  SHUTDOWN_GRACE: z.coerce
    .number()
    .min(0)
    .default(20)
    .describe("Seconds that steps in progress have to finish when the service stops."),
  DRAIN_DELAY: z.coerce
    .number()
    .min(0)
    .max(300)
    .default(0)
    .describe(
      "Seconds that a stopping service still takes requests, while /readyz says `draining`: time for a load balancer to notice.",
    ),
});

const outgoing = z.object({
  ALLOW_PRIVATE_URLS: flag.describe(
    "true: URLs that a workspace sets may point to private networks and to this machine, also with http; never to a cloud's metadata service.",
  ),
});

const files = z.object({
  MAX_FILE_BYTES: count(10 * MIB).describe("Maximum size of an uploaded file, in bytes."),
  S3_BUCKET: optional.describe("Keeps files in this bucket of an S3-compatible store instead of the data folder."),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "is an http or https URL" })
    .optional()
    .describe("The store's URL; default: Amazon S3 in the region."),
  S3_REGION: z.string().min(1).default("us-east-1").describe("The bucket's region."),
  S3_ACCESS_KEY_ID: optional.describe("The key that may read, write and delete in the bucket."),
  S3_SECRET_ACCESS_KEY: optional.describe("Its secret."),
});

const firstStart = z.object({
  MUSTER_INIT_EMAIL: z.email().optional().describe("Owner of the first workspace."),
  MUSTER_INIT_PASSWORD: z
    .string()
    .min(8)
    .optional()
    .describe("The owner's password; without it a one-time set-up link is printed."),
  MUSTER_INIT_WORKSPACE: z.string().min(1).max(100).optional().describe("Name of the first workspace."),
  MUSTER_INIT_API_KEY: initialKey("mst_").describe("Key for the envelope API."),
  MUSTER_INIT_TABLE_KEY: initialKey("mst_rest_").describe("Key for the table API."),
  MUSTER_INIT_AGUI_KEY: initialKey("mst_agui_").describe("Key for AG-UI."),
  MUSTER_INIT_A2A_KEY: initialKey("mst_a2a_").describe("Key for A2A."),
  MUSTER_INIT_MCP_KEY: initialKey("mst_mcp_").describe("Key for MCP."),
  MUSTER_ANON_KEY: initialKey("mst_anon_").describe("The instance's anon key for the table API."),
  DEFAULT_PLAN: z
    .enum(PLANS)
    .optional()
    .describe(
      "Plan of new workspaces. Without it, the first starts on enterprise, the others on free if SIGN_UP is open.",
    ),
});

const runs = z.object({
  MAX_STEPS: count(25).describe("Model calls of one run."),
  MAX_REPEATS: count(3).describe("How often a run may call the same tool with the same arguments."),
  TASK_TIMEOUT: count(3_600).describe("Seconds that one run may take, excluding the time it waits for a person."),
  RUN_TIMEOUT: count(14_400).describe("Seconds that a team run may take, excluding the time it waits for a person."),
  MODEL_ATTEMPTS: count(4).describe("Attempts of one model call before the fallback model."),
  MODEL_TIMEOUT: count(300).describe("Seconds that one model call may take."),
  MODEL_WINDOW: count(128_000).describe(
    "Context window, in tokens, of models outside the catalogue; `config.context_window` of an agent takes precedence.",
  ),
  SUMMARY_AT: z.coerce
    .number()
    .int()
    .min(10)
    .max(95)
    .default(80)
    .describe("Percent of a model's context window above which the older turns of a run are summarised."),
  TOOL_RESULT_CHARACTERS: count(60_000).describe(
    "Characters of a tool's result that a model is shown, at most a quarter of its context window. A longer result is stored as a file.",
  ),
  MODEL_ANSWER_MIB: count(64).describe("MiB that a provider may send in one model reply."),
  MODEL_LINE_MIB: count(4).describe("MiB of one line of a streamed reply."),
  RUN_MAX_EVENTS: count(100_000).describe("Events of one attempt of a task or a team run."),
  RUN_MAX_EVENTS_MIB: count(32).describe("MiB of all events of one attempt."),
  TOOL_TIMEOUT: count(120).describe("Seconds that one tool call may take."),
  REMOTE_AGENT_TIMEOUT: count(600).describe("Seconds that a remote agent may work on one delegation."),
  RUNS_PER_PROCESS: count(500).describe("Parallel runs in one process."),
  LEASE_MS: count(5_000).describe("A process that is silent for this long is presumed dead, in milliseconds."),
  RUNS_PER_WORKSPACE: count(100).describe("Parallel runs of one workspace in one process."),
});

const knowledge = z.object({
  EMBEDDING_MODEL: z
    .string()
    .regex(EMBEDDING_MODEL, "must be provider/model, such as openai/text-embedding-3-small, or none")
    .optional()
    .describe(
      "Embedding model of documents: provider/model, or none. Default: OpenAI's or Google's if there is a key.",
    ),
  KNOWLEDGE_MAX_FILE_MIB: count(25).describe("Largest document, in MiB."),
  KNOWLEDGE_MAX_PAGES: count(2_000).describe("Maximum pages of a PDF."),
  KNOWLEDGE_MAX_CHARACTERS: count(10_000_000).describe("Maximum characters of a document's text."),
  KNOWLEDGE_MAX_UNPACKED_MIB: count(200).describe("Maximum unpacked size of a Word document, in MiB."),
  KNOWLEDGE_MEMORY_MIB: count(768).describe("Memory of the process that reads one document, in MiB."),
  KNOWLEDGE_TIMEOUT: count(120).describe("Seconds to read one document, excluding its embeddings."),
  KNOWLEDGE_PER_PROCESS: count(3).describe(
    "Documents that one process reads in parallel; one workspace gets at most all but one of these.",
  ),
});

const usage = z.object({
  MODEL_PRICES: json(modelPrices).describe(
    'Prices in place of the catalogue\'s, in USD per million tokens: {"gpt-4o":{"prompt":2.5,"completion":10}}.',
  ),
});

const budgets = z.object({
  BUDGET_OUTPUT_TOKENS: count(16_384).describe(
    "Maximum tokens of a reply under a budget, for agents without max_tokens; the model gets this limit too.",
  ),
  BUDGET_BYTES_PER_TOKEN: z.coerce
    .number()
    .min(1)
    .max(4)
    .default(2)
    .describe("Bytes of a prompt that count as a token before a call; 1 is the most cautious."),
});

const tableApi = z.object({
  TABLE_STATEMENT_TIMEOUT: z.coerce
    .number()
    .min(0.1)
    .max(600)
    .default(5)
    .describe("Seconds that one statement may take."),
  TABLE_MAX_ROWS: count(1_000).describe("Maximum rows of a response and of a change."),
});

/** The settings in the groups of `.env.example`: each with its schema, default and description. */
export const SETTING_GROUPS: Readonly<Record<string, z.ZodObject>> = {
  "The service": service,
  "The database": database,
  Files: files,
  Secrets: secrets,
  "First start": firstStart,
  "URLs that workspaces name": outgoing,
  "A proxy for outgoing requests": proxy,
  Accounts: accounts,
  "Sign-in at an OpenID provider": oidc,
  "Model providers, for the whole instance": providerSettings,
  ...TOOL_SETTING_GROUPS,
  "Results sent elsewhere": deliveries,
  "Google accounts": google,
  "APIs of destinations": destinationBases,
  Runs: runs,
  "Records of runs": recording,
  Traces: traces,
  Knowledge: knowledge,
  Usage: usage,
  Budgets: budgets,
  "Request limits": limits,
  Quotas: quotas,
  "The table API": tableApi,
};

const schema = z.object({
  ...service.shape,
  ...database.shape,
  ...files.shape,
  ...secrets.shape,
  ...firstStart.shape,
  ...outgoing.shape,
  ...proxy.shape,
  ...accounts.shape,
  ...oidc.shape,
  ...deliveries.shape,
  ...google.shape,
  ...runs.shape,
  ...recording.shape,
  ...traces.shape,
  ...knowledge.shape,
  ...usage.shape,
  ...budgets.shape,
  ...limits.shape,
  ...quotas.shape,
  ...tableApi.shape,
});

/** All validated settings of a process. No other module reads the environment. */
export type Config = z.output<typeof schema> & {
  /** The environment that the settings were read from, for processes that need the same. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Base URLs that replace those of destinations, by setting name. */
  readonly vendorBases: Readonly<Record<string, string>>;
  readonly providerConnections: ProviderConnections;
  readonly toolSettings: ToolSettings;
};

/** A setting is missing or invalid; the message lists each with the allowed values. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const NAMES = Object.values(SETTING_GROUPS).flatMap(({ shape }) => Object.keys(shape));

/**
 * Reads the settings of this process: from variables, of which an empty one counts as unset, and from the files that
 * variables with `_FILE` name. @throws ConfigError
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const variables = readGiven(env, NAMES);
  const given = withLowerCaseProxies(variables.given);
  const parsed = schema.safeParse(given, { error: plainMessage });
  const bases = destinationBases.safeParse(given, { error: plainMessage });
  const providers = providerSettings.safeParse(given, { error: plainMessage });
  const tools = readToolSettings(given);
  const others = [
    ...variables.issues,
    ...tools.issues,
    ...keyIssues(given),
    ...oidcIssues(given),
    ...mailIssues(given),
  ];
  if (parsed.success && bases.success && providers.success && others.length === 0) {
    return {
      ...parsed.data,
      environment: given,
      vendorBases: withoutUndefined(bases.data),
      providerConnections: providerConnections(providers.data),
      toolSettings: tools.settings,
    };
  }
  const issues = [...[parsed, bases, providers].flatMap((result) => result.error?.issues ?? []), ...others];
  const lines = issuesOf({ issues }).map((issue) => `  ${describeIssue(issue)}`);
  throw new ConfigError(`Invalid settings:\n${lines.join("\n")}`);
}
