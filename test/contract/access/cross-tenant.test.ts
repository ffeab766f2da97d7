import pLimit from "p-limit";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { PROBES } from "../../support/tenancy/cross-tenant-probes.ts";
import type { Asked, Probe } from "../../support/tenancy/probe-shapes.ts";
import { servedRoutes } from "../../support/checks/served-routes.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import {
  credentialsFor,
  fillWorkspace,
  unknownIds,
  rowsOf,
  visible,
  wrongCredentialsFor,
} from "../../support/tenancy/two-workspaces.ts";
import type { Side, ResourceIds } from "../../support/tenancy/two-workspaces.ts";
import { verifies } from "../../support/verifies.ts";

const ROUTES = servedRoutes();
/** Public routes that the document does not describe. */
const OPEN = new Set([
  "GET /",
  "GET /healthz",
  "GET /healthz/stream",
  "GET /readyz",
  "GET /openapi.json",
  "GET /ag-ui/health",
  "GET /version",
  "GET /docs",
  "GET /docs/start.js",
  "GET /docs/{file}",
  // Pages of a browser that signs in; a token in them is the credential.
  "GET /auth/oidc",
  "GET /auth/oidc/callback",
  "GET /auth/break-glass",
  "POST /auth/break-glass",
  // Its signature is its credential.
  "GET /files/{id}/preview",
]);
/** A2A cards are public as well. */
const CARD = /^GET (?:\/a2a|.*\.well-known)/;
const SLOW = 300_000;
/** Probes that change nothing are asked eight at a time. */
const inTurns = pLimit(8);

const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ security: z.array(z.unknown()) }))),
});

let service: TestService;
let first: Side;
let second: Side;
let isPublic: (route: string) => boolean;

beforeAll(async () => {
  service = await startService({ env: { SIGN_UP: "open" } });
  first = await fillWorkspace(service, "One of the two");
  second = await fillWorkspace(service, "Another of the two");
  const { paths } = documentShape.parse((await send("GET", `${service.url}/openapi.json`)).body);
  isPublic = (route) => {
    const [method = "", path = ""] = route.split(" ");
    return OPEN.has(route) || CARD.test(route) || paths[path]?.[method.toLowerCase()]?.security.length === 0;
  };
}, SLOW);
afterAll(() => service.stop());

verifies(
  ["auth.matrix.complete", "auth.workspace-isolation"],
  "every route of the service is in the matrix, and nothing else",
  async () => {
    expect(Object.keys(PROBES).toSorted()).toEqual(ROUTES);
    const { paths } = documentShape.parse((await send("GET", `${service.url}/openapi.json`)).body);
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      ROUTES.includes(`ANY ${path}`) ? [] : Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(ROUTES).toEqual(expect.arrayContaining(documented));
  },
);

verifies(
  ["auth.workspace-isolation", "envelope.id.foreign-looks-unknown", "tenancy.surfaces.foreign-looks-unknown"],
  "with another workspace's credentials, its ids get the response of unknown ids",
  async () => {
    const faults = await untouched(second, async () => {
      const found: string[] = [];
      for (const { route, probe } of probesOf("naming")) {
        const headers = isPublic(route) ? [{}] : credentialsFor(pathOf(route), first, service.keys.anon);
        for (const each of headers) {
          found.push(...(await compare(route, probe, { own: first, other: second, headers: each })));
        }
      }
      return found;
    });
    expect(faults).toEqual([]);
  },
  SLOW,
);

// In both directions: what names no row could show the oldest one of all workspaces, or the newest one.
const SIDES = [
  { of: "the second workspace from the first", get: () => ({ own: first, other: second }) },
  { of: "the first workspace from the second", get: () => ({ own: second, other: first }) },
] as const;

for (const { of, get } of SIDES) {
  verifies(
    ["auth.workspace-isolation", "tenancy.surfaces.nothing-revealed"],
    `requests that name nothing of it show and change nothing of ${of}`,
    async () => {
      const { own, other } = get();
      const secrets = Object.entries(other.things).filter(([name]) => name !== "password");
      const faults = await untouched(other, async () => {
        const found: string[] = [];
        for (const { route, probe } of probesOf("plain")) {
          for (const headers of credentialsFor(pathOf(route), own, service.keys.anon)) {
            const answer = await ask(route, probe(own.things, own.things), headers);
            const shown = secrets.filter(([, value]) => answer.text.includes(value));
            if (answer.status >= 500 || shown.length > 0)
              found.push(`${route}: ${answer.status} shows ${shown.join()}`);
          }
        }
        return found;
      });
      expect(faults).toEqual([]);
    },
    SLOW,
  );
}

verifies(
  ["auth.workspace-isolation", "auth.matrix.wrong-credentials"],
  "without a key, and with keys of the wrong kind, everything is rejected in the same way",
  async () => {
    const probes = [...probesOf("naming"), ...probesOf("plain")].filter(({ route }) => !isPublic(route));
    const faults = await untouched(first, () =>
      untouched(second, async () => {
        const found = await inTurns.map(probes, ({ route, probe }) => {
          const [none = {}, ...wrong] = wrongCredentialsFor(pathOf(route), first, service.keys.anon);
          const anonymous = compare(route, probe, { own: first, other: second, headers: none, status: 401 });
          return Promise.all([anonymous, ...wrong.map((headers) => rejected(route, probe, headers))]);
        });
        return found.flat(2);
      }),
    );
    expect(faults).toEqual([]);
  },
  SLOW,
);

interface Attempt {
  readonly own: Side;
  readonly other: Side;
  readonly headers: Readonly<Record<string, string>>;
  /** What the answer must be; otherwise it must only not be a fault of the service. */
  readonly status?: number;
}

/** Requests records of the other workspace and records that do not exist; returns how the answers differ. */
async function compare(route: string, probe: Probe, { own, other, headers, status }: Attempt): Promise<string[]> {
  const nobody = unknownIds(other.things);
  const of = async (things: ResourceIds) => {
    const answer = await ask(route, probe(things, own.things), headers);
    return { status: answer.status, seen: JSON.stringify(visible(answer, things)) };
  };
  const foreign = await of(other.things);
  const unknown = await of(nobody);
  const asked = `${route} ${JSON.stringify(probe(other.things, own.things))} with ${Object.keys(headers).join()}`;
  if (foreign.seen !== unknown.seen) return [`${asked}\n  foreign: ${foreign.seen}\n  unknown: ${unknown.seen}`];
  const isWrong = status === undefined ? foreign.status >= 500 : foreign.status !== status;
  return isWrong ? [`${asked}\n  ${foreign.seen}`] : [];
}

/** Asks for what the caller's own workspace has with a credential of the wrong kind, which must not help. */
async function rejected(route: string, probe: Probe, headers: Readonly<Record<string, string>>): Promise<string[]> {
  const { status, text } = await ask(route, probe(first.things, first.things), headers);
  return status === 401 ? [] : [`${route} with ${Object.keys(headers).join()}\n  ${status} ${text}`];
}

/** Does something that may not change a row of a workspace; adds what it has changed to the faults. */
async function untouched(side: Side, walk: () => Promise<string[]>): Promise<string[]> {
  const before = await rowsOf(service, side);
  const faults = await walk();
  const after = await rowsOf(service, side);
  const lost = before.filter((row) => !after.includes(row)).map((row) => `lost: ${row}`);
  const added = after.filter((row) => !before.includes(row)).map((row) => `added: ${row}`);
  return [...faults, ...lost, ...added];
}

function ask(route: string, asked: Asked, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const [method = ""] = route.split(" ");
  const path = asked.at ?? pathOf(route).replace(/\{\w+\}/, encodeURIComponent(asked.param ?? ""));
  return send(asked.method ?? method, service.url + path, {
    headers: { ...asked.headers, ...headers },
    ...("body" in asked && { body: asked.body }),
  });
}

function pathOf(route: string): string {
  return route.split(" ")[1] ?? "";
}

function probesOf(kind: "naming" | "plain"): readonly { readonly route: string; readonly probe: Probe }[] {
  return Object.entries(PROBES).flatMap(([route, probes]) => (probes[kind] ?? []).map((probe) => ({ route, probe })));
}
