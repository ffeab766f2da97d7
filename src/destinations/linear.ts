import { z } from "zod";
import { nameList, token, vendorId } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import type { DeliveryContext, DeliveryResponse } from "./define-destination.ts";
import { DeliveryError } from "./delivery/delivery-error.ts";
import { itemBody, itemTitle } from "./message/describe.ts";
import { truncate } from "./message/truncate.ts";

const MAX_RESULT = 60_000;
const FIND_TEAM = `query Team($key: String!) {
  teams(filter: { key: { eq: $key } }, first: 1) { nodes { id labels(first: 250) { nodes { id name } } } }
}`;
const CREATE_ISSUE = `mutation CreateIssue($input: IssueCreateInput!) { issueCreate(input: $input) { success } }`;

const named = z.object({ id: z.string(), name: z.string() });
const teams = z.object({
  teams: z.object({ nodes: z.array(z.object({ id: z.string(), labels: z.object({ nodes: z.array(named) }) })) }),
});
const created = z.object({ issueCreate: z.object({ success: z.literal(true) }) });
const reply = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

/** Creates an issue in a team (https://linear.app/developers/graphql). */
export default defineDestination({
  type: "linear",
  title: "Linear",
  description: "Creates an issue in a team.",
  guide: {
    setup:
      "Create a personal API key under Security & access in Linear's settings. The team key is the letters before an issue's number.",
    example: { api_key: "lin_api_0123456789", team_key: "ENG", labels: "agent, report" },
  },
  vendor: { setting: "LINEAR_API_BASE", base: "https://api.linear.app" },
  config: z.strictObject({
    api_key: token("API Key"),
    team_key: vendorId("Team Key", {
      pattern: /^\w{1,20}$/,
      message: "must be the letters before an issue's number, such as ENG",
    }),
    labels: nameList("Labels", "Names of existing labels of the team; others are ignored."),
  }),
  async deliver(context, { api_key: key, team_key: teamKey, labels }, payload) {
    const found = await query(context, { key, document: FIND_TEAM, variables: { key: teamKey }, data: teams });
    const [team] = found.teams.nodes;
    if (team === undefined) throw new DeliveryError(`There is no team with the key ${teamKey}.`);
    const wanted = new Set(labels.map((label) => label.toLowerCase()));
    const input = {
      teamId: team.id,
      title: itemTitle(context.serviceName, payload),
      description: itemBody(payload, truncate(payload.result_full, MAX_RESULT)),
      labelIds: team.labels.nodes.filter(({ name }) => wanted.has(name.toLowerCase())).map(({ id }) => id),
    };
    await query(context, { key, document: CREATE_ISSUE, variables: { input }, data: created });
  },
});

interface Query<Data extends z.ZodType> {
  readonly key: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly data: Data;
}

/** GraphQL reports errors with status 200. */
async function query<Data extends z.ZodType>(
  context: DeliveryContext,
  { key, document, variables, data }: Query<Data>,
): Promise<z.output<Data>> {
  const json = { query: document, variables };
  const answer = await context.callApi("/graphql", { headers: { authorization: key }, json });
  const { errors = [], data: found } = parseReply(answer, reply);
  if (errors.length > 0) throw new DeliveryError(errors.map(({ message }) => message).join("; "));
  return parseAs(found, data);
}

/** Parses a response as JSON with a schema. @throws DeliveryError when it does not match */
function parseReply<Schema extends z.ZodType>({ text }: DeliveryResponse, schema: Schema): z.output<Schema> {
  return parseAs(jsonOf(text), schema);
}

/** Parses part of a response. @throws DeliveryError when it does not match */
function parseAs<Schema extends z.ZodType>(value: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new DeliveryError(`The reply is not what the API documents: ${parsed.error.issues[0]?.message ?? "no JSON"}.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
