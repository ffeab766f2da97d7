import { z } from "zod";
import type { TaskStatus } from "#domain/tasks/task.ts";
import type { HttpClient } from "./http-client.ts";
import { listRecords } from "./list-records.ts";
import type { Listed } from "./list-records.ts";
import {
  agentAnswer,
  budgetAnswer,
  exportAnswer,
  fileAnswer,
  identityAnswer,
  workspaceAnswer,
  createdAgentAnswer,
  importAnswer,
  installAnswer,
  invitationAnswer,
  keyAnswer,
  listedFileAnswer,
  listingAnswer,
  memberAnswer,
  memoryAnswer,
  providerKeyAnswer,
  receiptAnswer,
  runAnswer,
  shownKeyAnswer,
  retriedAnswer,
  taskAnswer,
  teamAnswer,
  usageAnswer,
} from "./records.ts";
import type {
  Agent,
  Budget,
  File,
  ListedFile,
  Listing,
  Memory,
  Retried,
  Run,
  Task,
  Team,
  UsageAnswer,
} from "./records.ts";

const AGENTS = "/functions/v1/api-agents";
const TASKS = "/functions/v1/api-tasks";
const TEAMS = "/functions/v1/api-teams";
const RUNS = "/functions/v1/api-runs";
const ME = "/functions/v1/api-me";
const MARKETPLACE = "/console/api/marketplace";
const PROVIDER_KEYS = "/console/api/provider-keys";
const KEYS = "/console/api/keys";
const MEMBERS = "/console/api/members";
const INVITATIONS = "/console/api/invitations";
const BUDGETS = "/console/api/budgets";
const FILES = "/files";
const USAGE = "/console/api/usage";

const nothing = z.undefined();

/** The operations of the service that the commands use, one request each (lists: one for each page). */
export interface Api {
  listAgents(limit: number): Promise<Listed<Agent>>;
  getAgent(id: string): Promise<Agent>;
  createAgent(agent: object): Promise<z.output<typeof createdAgentAnswer>>;
  updateAgent(id: string, changes: object): Promise<Agent>;
  deleteAgent(id: string): Promise<void>;
  listTasks(options: { readonly limit: number; readonly status: TaskStatus | undefined }): Promise<Listed<Task>>;
  getTask(id: string): Promise<Task>;
  createTask(task: object): Promise<Task>;
  cancelTask(id: string): Promise<Task>;
  /** Deletes a task that is not in progress. */
  deleteTask(id: string): Promise<void>;
  /** Runs an ended task again. */
  retryTask(id: string): Promise<Task>;
  /** Runs tasks again that failed with a code, a page of them. */
  retryTasks(which: object): Promise<Retried>;
  /** Runs team runs again that failed with a code and are of no task, a page of them. */
  retryRuns(which: object): Promise<Retried>;
  listTeams(limit: number): Promise<Listed<Team>>;
  getTeam(id: string): Promise<Team>;
  createTeam(team: object): Promise<Team>;
  deleteTeam(id: string): Promise<void>;
  listMemories(teamId: string, limit: number): Promise<Listed<Memory>>;
  /** Deletes one memory of a team, or all of them. */
  deleteMemories(teamId: string, id: string | undefined): Promise<void>;
  listRuns(options: { readonly limit: number; readonly teamId: string | undefined }): Promise<Listed<Run>>;
  getRun(id: string): Promise<Run>;
  startRun(run: object): Promise<Run>;
  cancelRun(id: string): Promise<Run>;
  forkRun(id: string, fork: object): Promise<Run>;
  retryRun(id: string): Promise<Run>;
  answer(
    waiting: { readonly what: "task" | "run"; readonly id: string },
    answer: object,
  ): Promise<z.output<typeof receiptAnswer>>;
  whoAmI(): Promise<z.output<typeof identityAnswer>>;
  /** Reads the workspace with its quotas. */
  getWorkspace(): Promise<z.output<typeof workspaceAnswer>>;
  listProviderKeys(): Promise<readonly z.output<typeof providerKeyAnswer>[]>;
  saveProviderKey(provider: string, connection: object): Promise<z.output<typeof providerKeyAnswer>>;
  deleteProviderKey(provider: string): Promise<void>;
  listKeys(): Promise<readonly z.output<typeof keyAnswer>[]>;
  createKey(key: object): Promise<z.output<typeof shownKeyAnswer>>;
  revokeKey(id: string): Promise<void>;
  rotateKey(id: string, rotation: object): Promise<z.output<typeof shownKeyAnswer>>;
  listMembers(): Promise<readonly z.output<typeof memberAnswer>[]>;
  invite(invitation: object): Promise<z.output<typeof invitationAnswer>>;
  removeMember(userId: string): Promise<void>;
  exportResource(
    kind: "agents" | "teams",
    of: { readonly id: string; readonly format: string | undefined },
  ): Promise<z.output<typeof exportAnswer>>;
  importFile(file: object): Promise<z.output<typeof importAnswer>>;
  listMarketplace(options: {
    readonly limit: number;
    readonly filter: Readonly<Record<string, string>>;
  }): Promise<Listed<Listing>>;
  installAgent(id: string): Promise<z.output<typeof installAnswer>>;
  listBudgets(options: { readonly limit: number; readonly targetId: string | undefined }): Promise<Listed<Budget>>;
  createBudget(budget: object): Promise<Budget>;
  updateBudget(id: string, changes: object): Promise<Budget>;
  deleteBudget(id: string): Promise<void>;
  uploadFile(form: FormData): Promise<File>;
  listFiles(options: {
    readonly limit: number;
    readonly filter: Readonly<Record<string, string>>;
  }): Promise<Listed<ListedFile>>;
  getFile(id: string): Promise<File>;
  fetchContent(file: File): Promise<Uint8Array>;
  deleteFile(id: string): Promise<void>;
  getUsage(query: Readonly<Record<string, string>>): Promise<UsageAnswer>;
}

/** The operations over a client. */
export function createApi(client: HttpClient): Api {
  return {
    listAgents: (limit) => listRecords(client, { path: AGENTS, record: agentAnswer, limit }),
    getAgent: (id) => client.request(agentAnswer, { method: "GET", path: byId(AGENTS, id) }),
    createAgent: (body) => client.request(createdAgentAnswer, { method: "POST", path: AGENTS, body, version: 2 }),
    updateAgent: (id, body) => client.request(agentAnswer, { method: "PATCH", path: byId(AGENTS, id), body }),
    deleteAgent: (id) => client.request(nothing, { method: "DELETE", path: byId(AGENTS, id) }),
    listTasks: ({ limit, status }) =>
      listRecords(client, { path: TASKS, record: taskAnswer, limit, ...(status && { filter: { status } }) }),
    getTask: (id) => client.request(taskAnswer, { method: "GET", path: byId(TASKS, id) }),
    createTask: (body) => client.request(taskAnswer, { method: "POST", path: TASKS, body }),
    cancelTask: (id) =>
      client.request(taskAnswer, { method: "PATCH", path: byId(TASKS, id), body: { status: "cancelled" } }),
    deleteTask: (id) => client.request(nothing, { method: "DELETE", path: byId(TASKS, id) }),
    retryTask: (id) =>
      client.request(taskAnswer, { method: "PATCH", path: byId(TASKS, id), body: { status: "dispatched" } }),
    retryTasks: (body) => client.request(retriedAnswer, { method: "POST", path: "/console/api/tasks/retry", body }),
    retryRuns: (body) => client.request(retriedAnswer, { method: "POST", path: "/console/api/runs/retry", body }),
    listTeams: (limit) => listRecords(client, { path: TEAMS, record: teamAnswer, limit }),
    getTeam: (id) => client.request(teamAnswer, { method: "GET", path: byId(TEAMS, id) }),
    createTeam: (body) => client.request(teamAnswer, { method: "POST", path: TEAMS, body }),
    deleteTeam: (id) => client.request(nothing, { method: "DELETE", path: byId(TEAMS, id) }),
    listMemories: (teamId, limit) => listRecords(client, { path: memoriesOf(teamId), record: memoryAnswer, limit }),
    deleteMemories: (teamId, id) => {
      const path = id === undefined ? memoriesOf(teamId) : below(memoriesOf(teamId), id);
      return client.request(nothing, { method: "DELETE", path });
    },
    listRuns: ({ limit, teamId }) =>
      listRecords(client, { path: RUNS, record: runAnswer, limit, ...(teamId && { filter: { team_id: teamId } }) }),
    getRun: (id) => client.request(runAnswer, { method: "GET", path: byId(RUNS, id) }),
    startRun: (body) => client.request(runAnswer, { method: "POST", path: RUNS, body }),
    cancelRun: (id) =>
      client.request(runAnswer, { method: "PATCH", path: byId(RUNS, id), body: { status: "cancelled" } }),
    forkRun: (id, body) =>
      client.request(runAnswer, { method: "POST", path: `${below("/console/api/runs", id)}/fork`, body }),
    retryRun: (id) => client.request(runAnswer, { method: "POST", path: `${below("/console/api/runs", id)}/retry` }),
    answer: ({ what, id }, body) =>
      client.request(receiptAnswer, { method: "POST", path: `${below(`/console/api/${what}s`, id)}/answer`, body }),
    whoAmI: () => client.request(identityAnswer, { method: "GET", path: ME }),
    getWorkspace: () => client.request(workspaceAnswer, { method: "GET", path: "/console/api/workspace" }),
    listProviderKeys: () => client.request(z.array(providerKeyAnswer), { method: "GET", path: PROVIDER_KEYS }),
    saveProviderKey: (provider, body) =>
      client.request(providerKeyAnswer, { method: "PUT", path: below(PROVIDER_KEYS, provider), body }),
    deleteProviderKey: (provider) =>
      client.request(nothing, { method: "DELETE", path: below(PROVIDER_KEYS, provider) }),
    listKeys: () => client.request(z.array(keyAnswer), { method: "GET", path: KEYS }),
    createKey: (body) => client.request(shownKeyAnswer, { method: "POST", path: KEYS, body }),
    revokeKey: (id) => client.request(nothing, { method: "DELETE", path: below(KEYS, id) }),
    rotateKey: (id, body) =>
      client.request(shownKeyAnswer, { method: "POST", path: `${below(KEYS, id)}/rotate`, body }),
    listMembers: () => client.request(z.array(memberAnswer), { method: "GET", path: MEMBERS }),
    invite: (body) => client.request(invitationAnswer, { method: "POST", path: INVITATIONS, body }),
    removeMember: (userId) => client.request(nothing, { method: "DELETE", path: below(MEMBERS, userId) }),
    exportResource: (kind, { id, format }) => {
      const query = format === undefined ? "" : `?format=${encodeURIComponent(format)}`;
      return client.request(exportAnswer, {
        method: "GET",
        path: `${below(`/console/api/${kind}`, id)}/export${query}`,
      });
    },
    importFile: (body) => client.request(importAnswer, { method: "POST", path: "/console/api/agents/import", body }),
    listMarketplace: (list) => listRecords(client, { path: MARKETPLACE, record: listingAnswer, ...list }),
    installAgent: (id) => client.request(installAnswer, { method: "POST", path: `${below(MARKETPLACE, id)}/install` }),
    listBudgets: ({ limit, targetId }) =>
      listRecords(client, {
        path: BUDGETS,
        record: budgetAnswer,
        limit,
        ...(targetId && { filter: { target_id: targetId } }),
      }),
    createBudget: (body) => client.request(budgetAnswer, { method: "POST", path: BUDGETS, body }),
    updateBudget: (id, body) => client.request(budgetAnswer, { method: "PATCH", path: below(BUDGETS, id), body }),
    deleteBudget: (id) => client.request(nothing, { method: "DELETE", path: below(BUDGETS, id) }),
    uploadFile: (body) => client.request(fileAnswer, { method: "POST", path: FILES, body }),
    listFiles: (list) => listRecords(client, { path: FILES, record: listedFileAnswer, ...list }),
    getFile: (id) => client.request(fileAnswer, { method: "GET", path: below(FILES, id) }),
    fetchContent(file) {
      // The service may know itself under another address than this client.
      const { pathname, search } = new URL(file.url);
      return client.fetchContent(pathname + search);
    },
    deleteFile: (id) => client.request(nothing, { method: "DELETE", path: below(FILES, id) }),
    getUsage: (query) =>
      client.request(usageAnswer, { method: "GET", path: `${USAGE}?${new URLSearchParams(query).toString()}` }),
  };
}

function byId(path: string, id: string): string {
  return `${path}?id=${encodeURIComponent(id)}`;
}

function memoriesOf(teamId: string): string {
  return `${below("/console/api/teams", teamId)}/memories`;
}

function below(path: string, name: string): string {
  return `${path}/${encodeURIComponent(name)}`;
}
