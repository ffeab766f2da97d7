import type { Schemas } from "#client/index.ts";
import { parseList, parseNumber } from "../arguments/arguments.ts";
import { defineGroup } from "../arguments/define-command.ts";
import type { Values } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { formatCost } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

type Page = Schemas["AgentPage"];

const ID = { id: { type: "positional", description: "Id or title" } } as const;

const FIELDS = {
  greeting: { type: "string", description: "What it says before the first message, in Markdown" },
  prompts: { type: "string", valueHint: "a,b", description: "Messages to begin with, separated by commas" },
  origins: { type: "string", valueHint: "a,b", description: "Origins of sites that may show it in a frame, or none" },
  files: { type: "boolean", description: "Let visitors attach files; --no-files: do not" },
  code: { type: "string", description: "What visitors must enter first ('none' removes it)" },
  "usd-day": { type: "string", valueHint: "amount", description: "Budget per day in USD ('none' removes it)" },
  "usd-month": { type: "string", valueHint: "amount", description: "Budget per month in USD ('none' removes it)" },
  "visitor-minute": { type: "string", valueHint: "n", description: "Messages of one visitor per minute" },
  "visitor-day": { type: "string", valueHint: "n", description: "Messages of one visitor per day" },
  "page-day": { type: "string", valueHint: "n", description: "Messages of all visitors per day" },
} as const;

const list = defineList({
  summary: "List the pages of agents, newest first",
  args: {},
  read: (muster, { limit }) => muster.listAgentPages({ limit }),
  none: () => noneYet("page"),
  row: ({ id, title, agent_name: agent, url, is_on: isOn }) => ({
    ID: id,
    TITLE: title,
    AGENT: agent,
    STATE: isOn ? "on" : "off",
    ADDRESS: url,
  }),
});

const create = defineRequest({
  summary: "Create the page of an agent, off until you switch it on, and print its address",
  args: {
    agent: { type: "string", required: true, description: "The agent: id or exact name" },
    slug: { type: "string", required: true, description: "The last part of its address, such as ask-support" },
    title: { type: "string", required: true, description: "What visitors see at the top" },
    on: { type: "boolean", description: "Switch it on at once" },
    ...FIELDS,
  },
  send: async ({ muster }, { agent, slug, title, on, ...args }) =>
    muster.createAgentPage({
      agent_id: await resolveId(muster, "agent", agent),
      slug,
      title,
      is_on: on === true,
      ...fieldsOf(args),
    }),
  print({ out }, { title, id, url, is_on: isOn }) {
    out.line(url);
    const next = isOn ? "It is on." : `It is off: muster pages on ${id}`;
    out.note(`Created page ${safeText(title)} (${id}). ${next}`, "dim");
  },
});

const update = defineRequest({
  summary: "Change a page; what you leave out stays as it is",
  args: {
    ...ID,
    title: { type: "string", description: "What visitors see at the top" },
    slug: { type: "string", description: "The last part of its address; the old one stops working" },
    ...FIELDS,
  },
  send: async ({ muster }, { id, title, slug, ...args }) =>
    muster.updateAgentPage({ id: await resolveId(muster, "page", id) }, { title, slug, ...fieldsOf(args) }),
  print: ({ out }, { title, id }) => out.line(`Updated page ${safeText(title)} (${id})`),
});

const get = defineRequest({
  summary: "Show a page, its limits and what it has spent",
  args: ID,
  send: async ({ muster }, { id }) => muster.getAgentPage({ id: await resolveId(muster, "page", id) }),
  print: ({ out }, page) =>
    out.fields({
      id: page.id,
      title: page.title,
      address: page.url,
      agent: page.agent_name,
      state: page.is_on ? "on" : "off",
      code: page.has_code ? "yes" : "no",
      files: page.takes_files ? "yes" : "no",
      frames: page.origins.length === 0 ? "none" : page.origins.join(", "),
      visitor: `${page.limits.visitor_minute} messages a minute, ${page.limits.visitor_day} a day`,
      page: `${page.limits.page_minute} messages a minute, ${page.limits.page_day} a day`,
      today: spentOf(page.budget_day),
      "this month": spentOf(page.budget_month),
    }),
});

const on = switching(true);
const off = switching(false);

const rotate = defineRequest({
  summary: "End all visits: who comes again has no earlier conversation",
  args: ID,
  send: async ({ muster }, { id }) => muster.rotateAgentPage({ id: await resolveId(muster, "page", id) }),
  print: ({ out }, { title, id }) => out.line(`Ended all visits of page ${safeText(title)} (${id})`),
});

const remove = defineDeletion({
  kind: "page",
  effect: "Its address stops working, and its budgets are deleted too; the runs of its visitors stay.",
  remove: (muster, id) => muster.deleteAgentPage({ id }),
});

/** `muster pages …` */
export default defineGroup("Manage the public pages of agents", {
  list,
  create,
  get,
  update,
  on,
  off,
  rotate,
  delete: remove,
});

function switching(isOn: boolean) {
  const state = isOn ? "on" : "off";
  return defineRequest({
    summary: isOn ? "Switch a page on" : "Switch a page off, at once for everyone",
    args: ID,
    send: async ({ muster }, { id }) =>
      muster.updateAgentPage({ id: await resolveId(muster, "page", id) }, { is_on: isOn }),
    print: ({ out }, { title, id, url }) => out.line(`Page ${safeText(title)} (${id}) is ${state}: ${url}`),
  });
}

function fieldsOf(args: Values<typeof FIELDS>) {
  const { greeting, prompts, origins, files, code } = args;
  const limits = {
    visitor_minute: parseNumber("visitor-minute", args["visitor-minute"]),
    visitor_day: parseNumber("visitor-day", args["visitor-day"]),
    page_day: parseNumber("page-day", args["page-day"]),
  };
  const hasLimits = Object.values(limits).some((limit) => limit !== undefined);
  return {
    greeting,
    prompts: mutable(parseList(prompts)),
    origins: origins === "none" ? [] : mutable(parseList(origins)),
    takes_files: files,
    code: code === "none" ? null : code,
    budget_day_usd: amountOf("usd-day", args["usd-day"]),
    budget_month_usd: amountOf("usd-month", args["usd-month"]),
    ...(hasLimits && { limits }),
  };
}

function mutable(list: readonly string[] | undefined): string[] | undefined {
  return list && [...list];
}

function amountOf(option: string, text: string | undefined): number | null | undefined {
  return text === "none" ? null : parseNumber(option, text);
}

function spentOf(budget: Page["budget_day"]): string {
  return budget === null ? "no budget" : `${formatCost(budget.used_usd)} of ${formatCost(budget.max_usd)}`;
}
