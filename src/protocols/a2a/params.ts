import { issuesOf } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { trimLists } from "#domain/trim-lists.ts";
import { z } from "zod";
import { givenTime } from "#domain/given-time.ts";
import { RpcError } from "./json-rpc.ts";
import { clientMessage } from "./read-message.ts";
import { statusesShownAs } from "./view.ts";
import type { NewPushConfig } from "#domain/destinations/push-config.ts";

/** A push configuration from a client; the method determines its version. */
export type GivenPushConfig = Omit<NewPushConfig, "version">;

/** The maximum page size of a list of tasks. */
const MAX_PAGE = 100;
/** The last time that a date can hold, in Unix milliseconds. */
const MAX_TIME = 8_640_000_000_000_000;
const historyLength = z.int().min(0).nullish();
const name = z.string().min(1).max(255);
const taskId = z.string("must be the id of a task").min(1);
const metadata = z.record(z.string(), z.unknown()).nullish();

/** Text that is allowed in an HTTP header. */
const headerText = z
  .string()
  .max(4_000)
  .regex(/^[\x20-\x7e]*$/, "must be printable ASCII");
const scheme = z
  .string()
  .max(100)
  .regex(/^[\w!#$%&'*+.^`|~-]*$/, "must be the name of an HTTP authentication scheme");

/** Where to notify a client, in the format of either version. */
const pushConfig = z
  .looseObject({
    id: name.nullish(),
    url: z.url().max(2_000),
    token: headerText.nullish(),
    authentication: z
      .looseObject({
        scheme: scheme.nullish(),
        schemes: z.array(scheme).nullish(),
        credentials: headerText.nullish(),
      })
      .nullish(),
  })
  .transform(({ id, url, token, authentication }): GivenPushConfig => ({
    name: orUndefined(id),
    url,
    token: orUndefined(token),
    authScheme: orUndefined(authentication?.scheme ?? authentication?.schemes?.[0]),
    credentials: orUndefined(authentication?.credentials),
  }));

/** The params of sending a message. */
export const sendParams = z.looseObject({
  message: clientMessage,
  configuration: z
    .looseObject({
      blocking: z.boolean().nullish(),
      returnImmediately: z.boolean().nullish(),
      historyLength,
      pushNotificationConfig: pushConfig.nullish(),
      taskPushNotificationConfig: pushConfig.nullish(),
    })
    .nullish(),
  metadata,
});

/** The params of methods on a task. */
export const taskParams = z.looseObject({ id: taskId, historyLength });

/** The params of listing tasks. */
export const listParams = z.looseObject({
  contextId: z.string().max(255).nullish(),
  status: z
    .string()
    .transform((state, context) => statusesShownAs(state) ?? unknownState(context))
    .nullish(),
  pageSize: z.int().min(1).max(MAX_PAGE).nullish(),
  pageToken: z.string().max(200).nullish(),
  historyLength,
  statusTimestampAfter: givenTime.nullish(),
  lastUpdatedAfter: z.int().min(0).max(MAX_TIME).nullish().describe("The same, in a draft: Unix milliseconds."),
  includeArtifacts: z.boolean().nullish(),
  metadata,
});

const nestedPushParams = z
  .looseObject({ taskId, pushNotificationConfig: pushConfig })
  .transform(({ taskId: of, pushNotificationConfig: config }) => ({ taskId: of, config }));
const flatPushParams = z.looseObject({ taskId }).and(pushConfig.transform((config) => ({ config })));

/** Returns the schema of the params that store a push configuration: flat in 1.0, in a field of its own in 0.3. */
export function setPushParams(params: Readonly<Record<string, unknown>>) {
  return params["pushNotificationConfig"] == null ? flatPushParams : nestedPushParams;
}

/** The params of reading, listing and deleting push configurations: `id` is the task in 0.3, the configuration in 1.0. */
export const pushParams = z
  .looseObject({
    id: z.string().nullish(),
    taskId: z.string().nullish(),
    pushNotificationConfigId: z.string().nullish(),
  })
  .transform((params, context) => {
    const task = params.taskId ?? params.id;
    if (task == null) {
      context.addIssue({ code: "custom", path: ["taskId"], message: "must be the id of a task" });
      return z.NEVER;
    }
    return { taskId: task, name: orUndefined(params.taskId == null ? params.pushNotificationConfigId : params.id) };
  });

/** Validates the params of a method. @throws RpcError `invalidParams` with every issue and its path. */
export function readParams<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(trimLists(schema, params), { error: plainMessage });
  if (parsed.success) return parsed.data;
  const issues = issuesOf(parsed.error).map(({ path, message }) => `${path || "params"}: ${message}`);
  throw new RpcError("invalidParams", `Invalid params: ${issues.join("; ")}`);
}

/** Protocol buffers send empty strings for unset fields. */
export function orUndefined(text: string | null | undefined): string | undefined {
  return text === "" || text === null ? undefined : text;
}

function unknownState(context: z.RefinementCtx): never {
  context.addIssue({ code: "custom", message: "is not a state of a task" });
  return z.NEVER;
}
