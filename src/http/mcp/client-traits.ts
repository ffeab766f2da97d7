import { CLIENT_CAPABILITIES_META_KEY } from "@modelcontextprotocol/server";
import type { McpRequestContext, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { newId } from "#lib/ids.ts";

/** The extension by which a call becomes a task (https://modelcontextprotocol.github.io/ext-tasks/). */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** What an error says that only clients with the extension do not get. */
export const NEEDS_TASKS = { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } } as const;

/** What a client supports, of what the endpoint makes use of. */
export interface ClientTraits {
  /** Whether it shows forms to its person. */
  readonly elicits: boolean;
  /** Whether a call may become a task; clients of earlier revisions ask for it at each call. */
  readonly hasTasks: boolean;
}

const capabilities = z.looseObject({
  // Without modes, a client supports forms.
  elicitation: z.looseObject({ form: z.unknown(), url: z.unknown() }).partial().nullish(),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});

const envelope = z.looseObject({ [CLIENT_CAPABILITIES_META_KEY]: capabilities });

const initialize = z.looseObject({ method: z.literal("initialize"), params: z.looseObject({ capabilities }) });

/** The sessions of clients that show forms. A session is nothing but this: every process serves each of them. */
const SHOWS_FORMS = "forms.";

/** Reads what the client of a request supports: from the request itself, or from the id of its session. */
export function traitsOf(
  { era, requestInfo }: McpRequestContext,
  { mcpReq }: Pick<ServerContext, "mcpReq">,
): ClientTraits {
  if (era === "legacy") {
    const session = requestInfo?.headers.get("mcp-session-id") ?? "";
    return { elicits: session.startsWith(SHOWS_FORMS), hasTasks: true };
  }
  const supported = declaredIn(mcpReq.envelope);
  return { elicits: showsForms(supported), hasTasks: hasTasks(supported) };
}

/**
 * Returns the id of the session that a handshake opens; undefined for a client that needs none, since no later request
 * depends on what it supports.
 */
export function sessionFor(body: unknown): string | undefined {
  const { data } = initialize.safeParse(body);
  return showsForms(data?.params.capabilities) ? SHOWS_FORMS + newId() : undefined;
}

/** Whether the `_meta` of a request declares the tasks extension. */
export function declaresTasks(meta: unknown): boolean {
  return hasTasks(declaredIn(meta));
}

type Capabilities = z.output<typeof capabilities> | undefined;

function declaredIn(meta: unknown): Capabilities {
  return envelope.safeParse(meta).data?.[CLIENT_CAPABILITIES_META_KEY];
}

function hasTasks(supported: Capabilities): boolean {
  return supported?.extensions?.[TASKS_EXTENSION] !== undefined;
}

function showsForms(data: Capabilities): boolean {
  const modes = data?.elicitation;
  return modes != null && (modes.form !== undefined || modes.url === undefined);
}
