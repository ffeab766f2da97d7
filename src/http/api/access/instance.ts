import { z } from "zod";
import { LOG_LEVELS, currentLogLevel, logLevelChange, tenantsQuery } from "#domain/access/instance.ts";
import { PLANS } from "#domain/access/plan.ts";
import { JOB_KIND_NAMES } from "#domain/tasks/job.ts";
import { requireOperator } from "#operations/accounts/instance-workspaces.ts";
import {
  changeLogLevel,
  listQueues,
  listServiceProcesses,
  listTenants,
  readCurrentLogLevel,
} from "#operations/accounts/instance-figures.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

const PATH = "/console/api/instance";

const tenant = z
  .strictObject({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    plan: z.enum(PLANS),
    created_at: z.iso.datetime(),
    held_at: z.iso.datetime().nullable().describe("Since when the operator holds it."),
    running: z.int(),
    waiting: z.int().describe("Runs in the queue."),
    runs_this_hour: z.int().describe("Ended runs; hours, days and months are in UTC."),
    runs_today: z.int(),
    failed_today: z.int(),
    errors_today: z.record(z.string(), z.int()).describe("The failed runs of today by error code."),
    cost_today_usd: z.number(),
    cost_this_month_usd: z.number(),
    records: z.int(),
    stored_bytes: z.int().describe("Contents of files and documents."),
  })
  .meta({ id: "Tenant" });

const tenantPage = z
  .strictObject({ items: z.array(tenant), next_cursor: z.string().nullable() })
  .meta({ id: "TenantPage" });

const serviceProcess = z
  .strictObject({
    name: z.string().describe("Host and process id."),
    version: z.string().nullable().describe("Null: older than this field."),
    started_at: z.iso.datetime(),
    last_beat_at: z.iso.datetime().describe("The last renewal of its lease."),
    is_keeper: z.boolean().describe("It watches over the others."),
    is_quarantine: z.boolean().describe("It runs jobs that were running when processes died."),
    jobs: z.int().describe("Jobs that it runs."),
  })
  .meta({ id: "ServiceProcess" });

const queue = z
  .strictObject({
    kind: z.enum(JOB_KIND_NAMES),
    waiting: z.int(),
    running: z.int(),
    suspended: z.int().describe("Runs that wait for a person."),
    oldest_waiting_since: z.iso.datetime().nullable().describe("Of jobs that no process has claimed yet."),
    failed: z.int().describe("Runs that have failed since the first start."),
  })
  .meta({ id: "JobQueue" });

const logLevel = z
  .strictObject({
    level: z.enum(LOG_LEVELS),
    minutes: z.int(),
    process: z.string().nullable(),
    until: z.iso.datetime(),
  })
  .meta({ id: "LogLevel" });

/** Adds what owners of the first workspace see of the whole instance. */
export default function addInstance(api: Api): void {
  addPath(api, `${PATH}/tenants`, { tag: "Workspaces", endpoints: [tenants] });
  addPath(api, `${PATH}/processes`, { tag: "Workspaces", endpoints: [processes] });
  addPath(api, `${PATH}/queues`, { tag: "Workspaces", endpoints: [queues] });
  addPath(api, `${PATH}/log-level`, { tag: "Workspaces", endpoints: [readLevel, setLevel] });
}

const tenants = endpoint({
  method: "get",
  operationId: "listTenants",
  needs: "owner",
  summary: "List all workspaces by load, cost, storage or failures, as an owner of the first one",
  query: tenantsQuery,
  success: { status: 200, schema: tenantPage },
  async handle({ c, workspace, query }) {
    await requireOperator(workspace.db, workspace.who);
    return respondValue(c, await listTenants(workspace.db, query));
  },
});

const processes = endpoint({
  method: "get",
  operationId: "listProcesses",
  needs: "owner",
  summary: "List the processes of the service, as an owner of the first workspace",
  success: { status: 200, schema: z.array(serviceProcess) },
  async handle({ c, workspace }) {
    await requireOperator(workspace.db, workspace.who);
    return respondValue(c, await listServiceProcesses(workspace.db));
  },
});

const queues = endpoint({
  method: "get",
  operationId: "listQueues",
  needs: "owner",
  summary: "Count the jobs of each kind, as an owner of the first workspace",
  success: { status: 200, schema: z.array(queue) },
  async handle({ c, workspace }) {
    await requireOperator(workspace.db, workspace.who);
    return respondValue(c, await listQueues(workspace.db));
  },
});

const readLevel = endpoint({
  method: "get",
  operationId: "readLogLevel",
  needs: "owner",
  summary: "Read the log level that is set for some minutes, as an owner of the first workspace",
  success: { status: 200, schema: currentLogLevel.meta({ id: "CurrentLogLevel" }) },
  async handle({ c, workspace }) {
    await requireOperator(workspace.db, workspace.who);
    return respondValue(c, await readCurrentLogLevel(workspace.db));
  },
});

const setLevel = endpoint({
  method: "put",
  operationId: "setLogLevel",
  needs: "owner",
  summary: "Change the log level of processes for some minutes, as an owner of the first workspace",
  body: logLevelChange,
  success: { status: 200, schema: logLevel },
  async handle({ c, workspace, body }) {
    await requireOperator(workspace.db, workspace.who);
    return respondValue(c, await changeLogLevel(workspace.db, body));
  },
});
