import { z } from "zod";
import { nameList, token, vendorId } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import type { DeliveryContext } from "./define-destination.ts";
import { DeliveryError } from "./delivery/delivery-error.ts";
import { itemBody, itemTitle } from "./message/describe.ts";
import { truncate } from "./message/truncate.ts";

const MAX_RESULT = 60_000;
const FIND_TEAM = `query Team($key: String!) {
  teams(filter: { key: { eq: $key } }, first: 1) { nodes { id labels(first: 250) { nodes { id name } } } }
}`;
const CREATE_ISSUE = `mutation CreateIssue($input: IssueCreateInput!) { issueCreate(input: $input) { success } }`;

const named = z.object({ id: z.string(), name: z.string() });
const team = z.object({ id: z.string(), labels: z.object({ nodes: z.array(named) }) });
const found = z.object({ data: z.object({ teams: z.object({ nodes: z.array(team) }) }) });
const created = z.object({ data: z.object({ issueCreate: z.object({ success: z.literal(true) }) }) });
const rejected = z.object({ errors: z.array(z.object({ message: z.string() })).min(1) });

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
    const teams = await query(context, { key, query: FIND_TEAM, variables: { key: teamKey }, reply: found });
    const [to] = teams.data.teams.nodes;
    if (to === undefined) throw new DeliveryError(`There is no team with the key ${teamKey}.`);
    const wanted = new Set(labels.map((label) => label.toLowerCase()));
    const input = {
      teamId: to.id,
      title: itemTitle(context.serviceName, payload),
      description: itemBody(payload, truncate(payload.result_full, MAX_RESULT)),
      labelIds: to.labels.nodes.filter(({ name }) => wanted.has(name.toLowerCase())).map(({ id }) => id),
    };
    await query(context, { key, query: CREATE_ISSUE, variables: { input }, reply: created });
  },
});

interface Query<Reply> {
  readonly key: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly reply: z.ZodType<Reply>;
}

/** GraphQL reports errors with status 200. @throws DeliveryError for these, and for an unexpected response */
async function query<Reply>(context: DeliveryContext, { key, reply, ...json }: Query<Reply>): Promise<Reply> {
  const { text } = await context.callApi("/graphql", { headers: { authorization: key }, json });
  const answer = jsonOf(text);
  const refusal = rejected.safeParse(answer);
  if (refusal.success) throw new DeliveryError(refusal.data.errors.map(({ message }) => message).join("; "));
  const parsed = reply.safeParse(answer);
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
