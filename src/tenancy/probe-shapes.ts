import { newId } from "#lib/ids.ts";

/** What of a workspace a request can name: the id of one row per table, and a few more. */
export type ResourceIds = Readonly<Record<string, string>>;

/** The domain of the people of scratch workspaces, and of all whom probes invite: nobody else can have it (RFC 2606). */
export const SCRATCH_DOMAIN = "tenancy.muster.invalid";

/** The address of a person who does not exist yet. */
export function scratchEmail(): string {
  return `${newId()}@${SCRATCH_DOMAIN}`;
}

/** A request to a route. */
export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is a text already. */
  readonly body?: unknown;
  /** In place of the path's parameter. */
  readonly param?: string | undefined;
  /** In place of the whole path. */
  readonly at?: string;
  /** Where the route serves any method. */
  readonly method?: string;
}

/** A request by the owner of the records `own` that names the records `named`. */
export type Probe = (named: ResourceIds, own: ResourceIds) => Asked;

/** What is asked of a route. */
export interface Probes {
  /** Requests that name something of a workspace. */
  readonly naming?: readonly Probe[];
  /** Requests that name nothing. */
  readonly plain?: readonly Probe[];
}

/** A request with this body. */
export const just = (body?: unknown): Probe => (body === undefined ? () => ({}) : () => ({ body }));
/** Names nothing, and takes no body. */
export const open: Probes = { plain: [just()] };
/** Names nothing, and is rejected. */
export const refused: Probes = { plain: [just({})] };

/** A JSON-RPC request. */
export function rpcCall(method: string, params: object): object {
  return { jsonrpc: "2.0", id: 1, method, params };
}

interface Resource {
  readonly thing: string;
  readonly create: object;
  readonly change?: object;
}

/** A resource whose id is in the query. */
export function resource(path: string, { thing, create, change }: Resource): Record<string, Probes> {
  const one = (named: ResourceIds) => `${path}?id=${named[thing]}`;
  return {
    [`GET ${path}`]: { plain: [just()], naming: [(named) => ({ at: one(named) })] },
    [`POST ${path}`]: { plain: [just(create)] },
    [`PATCH ${path}`]: { naming: [(named) => ({ at: one(named), body: change })] },
    [`DELETE ${path}`]: { naming: [(named) => ({ at: one(named) })] },
  };
}

/** All but those of one method. */
export function without(method: string, probes: Record<string, Probes>): Record<string, Probes> {
  return Object.fromEntries(Object.entries(probes).filter(([route]) => !route.startsWith(`${method} `)));
}

/** The five routes of something saved, addressed by its path. */
export function saved(path: string, thing: string, fields: object): Record<string, Probes> {
  return {
    [`GET ${path}`]: open,
    [`POST ${path}`]: { plain: [just(fields)] },
    [`GET ${path}/{id}`]: inPath(thing),
    [`PATCH ${path}/{id}`]: inPath(thing, { name: "X" }),
    [`DELETE ${path}/{id}`]: inPath(thing),
  };
}

/** A route with one parameter, which names a thing. */
export function inPath(thing: string, body?: object): Probes {
  return { naming: [(named) => ({ param: named[thing], ...(body !== undefined && { body }) })] };
}

/** A route with one parameter, which names a task or a team's run. */
export function ofRuns(body?: object): Probes {
  return { naming: ["tasks", "team_runs"].flatMap((thing) => inPath(thing, body).naming ?? []) };
}

/** Probes the first version of an agent. */
export function ofVersion(what: string): Probes {
  return { naming: [({ agents: id }) => ({ at: `/console/api/agents/${id}/versions/1${what}` })] };
}

/** What is made for an agent or a team, which may be another's. */
export function makes(fields: object): Probes {
  return {
    plain: [just(fields)],
    naming: [
      ({ agents: id }) => ({ body: { ...fields, assigned_agent_id: id } }),
      ({ teams: id }) => ({ body: { ...fields, assigned_team_id: id } }),
    ],
  };
}

/** What is another's, and what is given to an agent or a team of another. */
export function gives(thing: string): Probes {
  return {
    naming: [
      (named) => ({ param: named[thing], body: { name: "X" } }),
      ({ agents: id }, own) => ({ param: own[thing], body: { assigned_agent_id: id } }),
      ({ teams: id }, own) => ({ param: own[thing], body: { assigned_team_id: id } }),
    ],
  };
}

/** An answer to a question, named by its run or by its own id. */
export function answers(thing: string): Probes {
  return {
    naming: [
      (named) => ({ param: named[thing], body: { interactionId: named["interaction"], approved: true } }),
      ({ interaction }, own) => ({ param: own[thing], body: { interactionId: interaction, approved: true } }),
    ],
  };
}

/** A sign-in to a workspace. */
export function signIn(named: ResourceIds, own: ResourceIds): Asked {
  return { body: { email: own["email"], password: own["password"], workspace_id: named["workspaces"] } };
}

/** The approval of a question. */
export function approval(threadId: string | undefined, interactionId: string | undefined) {
  return { threadId, interactionId, approved: true };
}
