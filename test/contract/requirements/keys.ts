import type { Requirements } from "./requirement.ts";

/** API keys: how they look and how they are kept. */
export const keys = {
  "keys.prefix.envelope": { states: "Envelope keys start with mst_.", source: "decision" },
  "keys.prefix.table": { states: "Table keys start with mst_rest_.", source: "decision" },
  "keys.prefix.mcp": { states: "MCP keys start with mst_mcp_.", source: "decision" },
  "keys.prefix.a2a": { states: "A2A keys start with mst_a2a_.", source: "decision" },
  "keys.prefix.ag-ui": { states: "AG-UI keys start with mst_agui_.", source: "decision" },
  "keys.prefix.anon": {
    states: "The instance's anon key starts with mst_anon_.",
    source: "decision",
  },
  "keys.random.32-bytes": {
    states: "A key carries 32 random bytes written in base62.",
    source: "decision",
  },
  "keys.checksum": {
    states:
      "A key ends with the CRC32 of what precedes, as 6 base62 digits; one with a wrong checksum is refused as an unknown key is. Keys without a checksum work.",
    source: "goal",
  },
  "keys.leaked": {
    states:
      "POST /auth/keys/leaked needs no credential and revokes each presented key that exists, in every process and with an audit entry; its response never tells which existed.",
    source: "goal",
  },
  "keys.service-accounts": {
    states:
      "An admin creates, lists, renames and removes service accounts: their keys act in the account's name and with its role, and belong to no person.",
    source: "goal",
  },
  "keys.service-accounts.survive": {
    states: "A service account and its keys survive the removal of whoever created them.",
    source: "goal",
  },
  "keys.service-accounts.removed": {
    states: "A removed service account's keys are rejected at once in every process; records keep its name.",
    source: "goal",
  },
  "keys.service-accounts.rights": {
    states: "Nobody gives a service account or its keys more rights than they have, and only admins manage them.",
    source: "goal",
  },
  "keys.expiring.announced": {
    states:
      "14 and 3 days before a key expires, the audit log and with it routes have key.expiring, once with any number of processes.",
    source: "goal",
  },
  "keys.expiring.shown": {
    states:
      "Lists of keys say how near the end of a key is, and list those that expire; responses to it have Muster-Key-Expires within 14 days.",
    source: "goal",
  },
  "keys.networks": {
    states: "A key that is limited to networks is refused with 403 and one sentence elsewhere, on every surface.",
    source: "goal",
  },
  "keys.networks.address": {
    states: "Networks count the address that TRUSTED_PROXIES gives: X-Forwarded-For says nothing by default.",
    source: "goal",
  },
  "keys.networks.change": {
    states: "Changed networks count immediately in every process, and end the streams from elsewhere.",
    source: "goal",
  },
  "keys.networks.service-accounts": {
    states: "Networks of a service account count for all its keys, besides each key's own.",
    source: "goal",
  },
  "keys.networks.input": {
    states: "A text that is no network is rejected by name; networks without the caller's own address bring a warning.",
    source: "goal",
  },
  "keys.stored.sha-256-only": {
    states: "The database contains a key only as its SHA-256 hash.",
    source: "contract",
  },
  "keys.stored.display-characters": {
    states: "The first 12 characters of a key are stored so that lists can show it.",
    source: "decision",
  },
  "keys.stored.attributes": {
    states: "A key has a label, the scopes read or write or both, and an expires_at or null.",
    source: "decision",
  },
  "keys.stored.last-used": {
    states: "last_used_at is updated by use, at most once a minute.",
    source: "decision",
  },
  "keys.shown-once": {
    states: "A key is shown when it is created and never again.",
    source: "contract",
  },
  "keys.create.kinds": {
    states: "Keys of every kind can be created, with the requested scopes and expiry.",
    source: "goal",
  },
  "keys.create.no-more-than-maker": {
    states: "A key never has more rights than its creator, and creates no key with more rights than its own.",
    source: "goal",
  },
  "keys.list.fields": {
    states: "A list shows prefix, label, kind, scopes, last use, expiry and creator of each key, never the key.",
    source: "goal",
  },
  "keys.rename": {
    states: "A key's label and its limits can be changed; its kind, its scopes and its expiry cannot.",
    source: "goal",
  },
  "keys.reach.runs": {
    states: "A key that is limited to agents and teams starts, reads, answers, stops and deletes their runs.",
    source: "goal",
  },
  "keys.reach.nothing-else": {
    states: "What belongs to other agents and teams looks unknown to a limited key, and it can start none of them.",
    source: "goal",
  },
  "keys.reach.every-route": {
    states: "No route of the service shows a limited key anything of another agent or team, or lets it change it.",
    source: "goal",
  },
  "keys.reach.surfaces": {
    states:
      "A key's limit to agents and teams counts on every surface, also for the lists of models, tools and tables.",
    source: "goal",
  },
  "keys.reach.deeds": {
    states:
      "Push configurations, forks, retries, restarts, uploads and results of client tools by a limited key stay within its reach.",
    source: "goal",
  },
  "keys.reach.teams": {
    states: "A key that is limited to a team runs it, and sees neither its agents nor their other runs.",
    source: "goal",
  },
  "keys.reach.deleted": {
    states: "A deleted agent in the list of a key grants nothing.",
    source: "goal",
  },
  "keys.reach.change": {
    states: "A changed limit counts immediately in every process, and ends the streams that the key opened before.",
    source: "goal",
  },
  "keys.surfaces": {
    states: "A key may be limited to some of the surfaces that its kind opens; the others refuse it with 403.",
    source: "goal",
  },
  "keys.revoke": { states: "Every process rejects a revoked key immediately.", source: "goal" },
  "keys.rotate.overlap": {
    states:
      "A rotated key works in parallel with its replacement until the overlap ends; without an overlap it ends immediately.",
    source: "goal",
  },
  "keys.rotate.same": {
    states: "The replacement has the label, the kind and the scopes of the old key, and the old key references it.",
    source: "goal",
  },
  "keys.rotate.once": {
    states: "A key is replaced once, also with two concurrent requests.",
    source: "goal",
  },
  "keys.foreign-looks-unknown": {
    states: "A key of another workspace gets the same response as an unknown id.",
    source: "goal",
  },
  "keys.never-logged": {
    states: "No key, and no secret, appears in logs or error messages.",
    source: "goal",
  },
} as const satisfies Requirements<"keys">;
