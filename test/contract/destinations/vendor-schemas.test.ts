import { join } from "node:path";
import { AdaptiveCard, SerializationContext, Versions } from "adaptivecards/dist/adaptivecards.js";
import { IncomingWebhookRequestPartialSchema } from "discord-api-spec/zod";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FAILED, PAYLOAD, deliver } from "../../support/destinations/deliver.ts";
import { SAMPLES } from "../../support/destinations/samples.ts";
import { partsOf, teamsRequest } from "../../support/destinations/vendor-requests.ts";
import type { VendorRequests } from "../../support/destinations/vendor-types.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer, SeenRequest } from "../../support/fake-server.ts";
import { typeErrors } from "../../support/clients/type-check.ts";
import { verifies } from "../../support/verifies.ts";

const VENDOR_TYPES = {
  file: join(import.meta.dirname, "../../support/destinations/vendor-types.ts"),
  name: "VendorRequests",
};
const TYPED = {
  slack: true,
  telegram: true,
  notion: true,
  github: true,
  email: true,
  linear: true,
  google_sheets: true,
  google_gmail: true,
  google_docs: true,
  google_calendar: true,
} satisfies Record<keyof VendorRequests, true>;
/** With everything that the formats make something of. */
const RICH = { ...PAYLOAD, result_full: 'Line one\n\n"Line two" — 😀\n'.repeat(200) };

let vendor: FakeServer;
let replyTo: (request: SeenRequest) => unknown = () => ({ ok: true });

beforeAll(async () => {
  vendor = await startFakeServer((request, response) => answerJson(response, replyTo(request)));
});
afterAll(() => vendor.close());

/** The bodies that a destination sends for a short, a long and a failed result. */
async function bodiesOf(type: string): Promise<unknown[]> {
  const sample = SAMPLES[type];
  if (sample === undefined) throw new Error(`test/support/destinations/samples.ts lacks ${type}.`);
  const bodies: unknown[] = [];
  for (const payload of [PAYLOAD, RICH, FAILED]) {
    replyTo = (request) => sample.reply?.(request) ?? { ok: true };
    const outcome = await deliver({ type, config: sample.config(vendor.url), base: vendor.url, payload });
    expect(outcome, type).toMatchObject({ status: "success" });
    const request = vendor.seen.at(-1);
    if (request === undefined) throw new Error("Nothing was sent.");
    bodies.push(JSON.parse(partsOf(request)[0] ?? request.body));
  }
  return bodies;
}

verifies(
  "destinations.official-schemas",
  "every body fits the type that its vendor publishes",
  async () => {
    const values = [];
    for (const member of Object.keys(TYPED)) {
      for (const value of await bodiesOf(member)) values.push({ member, value });
    }
    expect(typeErrors(VENDOR_TYPES, values)).toEqual([]);
    // The judge sees a field that a vendor does not know, in each of them.
    const wrong = values.map(({ member, value }) => ({ member, value: Object.assign({ no_such_field: 1 }, value) }));
    const reported = new Set(typeErrors(VENDOR_TYPES, wrong).map((line) => line.split(":")[0]));
    expect(reported).toEqual(new Set(Object.keys(TYPED)));
  },
  { tags: "slow" },
);

verifies(
  "destinations.official-schemas",
  "a Discord message fits the schema of Discord's OpenAPI document",
  async () => {
    for (const body of await bodiesOf("discord")) {
      expect(() => IncomingWebhookRequestPartialSchema.parse(body)).not.toThrow();
    }
    const tooLong = { embeds: [{ fields: [{ name: "Result", value: "x".repeat(1_025), inline: false }] }] };
    expect(() => IncomingWebhookRequestPartialSchema.parse(tooLong)).toThrow(/value/);
  },
);

verifies("destinations.official-schemas", "Microsoft's parser reads a Teams card completely", async () => {
  for (const body of await bodiesOf("teams")) {
    const [{ content }] = teamsRequest.parse(body).attachments;
    const { problems, card } = readCard(content);
    expect(problems).toEqual([]);
    expect(card).toEqual(content);
  }
  const wrong = { type: "AdaptiveCard", version: "1.4", body: [{ type: "TextBlock", text: "x", size: "Huge" }] };
  expect(readCard(wrong).problems).toHaveLength(1);
});

test("vendors without a published type are listed by name", () => {
  const judged = new Set([...Object.keys(TYPED), "discord", "teams"]);
  expect(Object.keys(SAMPLES).filter((type) => !judged.has(type))).toEqual(["http", "asana", "trello"]);
});

/** What Microsoft's parser of Adaptive Cards 1.4 makes of a card, and what it objects to. */
function readCard(content: object) {
  const context = new SerializationContext(Versions.v1_4);
  const card = new AdaptiveCard();
  card.parse(content, context);
  const events = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message);
  const problems = [...events, ...card.validateProperties().validationEvents.map(({ message }) => message)];
  return { problems, card: card.toJSON() };
}
