import { z } from "zod";
import { nameList, token, vendorIdOrUrl } from "./config/fields.ts";
import { linearTeam } from "./config/vendor-url.ts";
import { defineDestination } from "./define-destination.ts";
import { DeliveryError } from "./delivery/delivery-error.ts";
import { graphql } from "./delivery/graphql.ts";
import { itemBody, itemTitle } from "./message/describe.ts";
import { UTF_16, truncate } from "./message/truncate.ts";

const MAX_RESULT = 60_000;
const FIND_TEAM = `query Team($key: String!) {
  teams(filter: { key: { eq: $key } }, first: 1) { nodes { id labels(first: 250) { nodes { id name } } } }
}`;
const CREATE_ISSUE = `mutation CreateIssue($input: IssueCreateInput!) { issueCreate(input: $input) { success } }`;

const named = z.object({ id: z.string(), name: z.string() });
const team = z.object({ id: z.string(), labels: z.object({ nodes: z.array(named) }) });
const found = z.object({ data: z.object({ teams: z.object({ nodes: z.array(team) }) }) });
const created = z.object({ data: z.object({ issueCreate: z.object({ success: z.literal(true) }) }) });

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
    team_key: vendorIdOrUrl("Team Key", {
      idOf: linearTeam,
      pattern: /^\w{1,20}$/,
      message: "must be the letters before an issue's number, such as ENG, or the team's URL",
    }),
    labels: nameList("Labels", "Names of existing labels of the team; others are ignored."),
  }),
  async deliver(context, { api_key: authorization, team_key: key, labels }, payload) {
    const headers = { authorization };
    const { data } = await graphql(context, { headers, query: FIND_TEAM, variables: { key }, reply: found });
    const [to] = data.teams.nodes;
    if (to === undefined) throw new DeliveryError(`There is no team with the key ${key}.`);
    const wanted = new Set(labels.map((label) => label.toLowerCase()));
    const input = {
      teamId: to.id,
      title: itemTitle(context.serviceName, payload),
      description: itemBody(payload, truncate(payload.result_full, MAX_RESULT, UTF_16)),
      labelIds: to.labels.nodes.filter(({ name }) => wanted.has(name.toLowerCase())).map(({ id }) => id),
    };
    await graphql(context, { headers, query: CREATE_ISSUE, variables: { input }, reply: created });
  },
});
