import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DESTINATIONS } from "#destinations/gen/registry.ts";
import { formSchema, secretFields } from "#domain/destinations/destination-form.ts";
import { compileSchema } from "#lib/json-schema/compile-schema.ts";
import { ACCESS_TOKEN, FAILED, FIRING, PAYLOAD, deliver, shownOf } from "../../support/destinations/deliver.ts";
import { SAMPLES } from "../../support/destinations/samples.ts";
import type { Sample } from "../../support/destinations/samples.ts";
import { partsOf } from "../../support/destinations/vendor-requests.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer, SeenRequest } from "../../support/fake-server.ts";
import { verifies } from "../../support/verifies.ts";

/** What a field of this name holds must never be shown. */
const SECRET_NAME = /token|secret|password|api_key|webhook_url/;
/** They do not use HTTP, and have their own test file. */
const NOT_HTTP: ReadonlySet<string> = new Set(["smtp"]);
/** Two UTF-16 units, four bytes. */
const WIDE = "😀";
const WIDE_PAYLOAD = { ...PAYLOAD, result_full: WIDE.repeat(100_000) };

type Answer = (request: SeenRequest, response: ServerResponse) => void;

let vendor: FakeServer;
let answer: Answer;

beforeAll(async () => {
  vendor = await startFakeServer((request, response) => answer(request, response));
});
afterAll(() => vendor.close());

verifies("routes.manage.types", "the destinations are those of the contract", () => {
  const contract =
    "http slack discord telegram teams asana trello notion github email smtp linear google_sheets google_gmail google_docs google_calendar";
  expect(DESTINATIONS.map(({ type }) => type).toSorted()).toEqual(contract.split(" ").toSorted());
});

describe.each(DESTINATIONS.map((destination) => [destination.type, destination] as const))("%s", (_, destination) => {
  test("its form is a JSON Schema with titles, and its secrets are marked", () => {
    const schema = formSchema(destination);
    expect(() => compileSchema(schema)).not.toThrow();
    const properties = Object.entries(destination.config.shape);
    expect(properties.length).toBeGreaterThan(0);
    for (const [name, field] of properties) {
      const { title, writeOnly } = field.meta() ?? {};
      expect(title, name).toMatch(/^[A-Z]/);
      expect(writeOnly === true, name).toBe(SECRET_NAME.test(name));
    }
  });

  test("an invalid configuration is rejected with its path", () => {
    const pathsOf = (config: unknown) =>
      destination.config
        .safeParse(config)
        .error?.issues.map(({ path, ...issue }) => ("keys" in issue ? `unknown ${issue.keys.join()}` : path.join(".")));
    expect(pathsOf({ nonsense: 1 })).toContain("unknown nonsense");
    const { required } = formSchema(destination);
    // A bot may take a webhook's place, so neither is required alone.
    const isEither = "webhook_url" in destination.config.shape && "bot_token" in destination.config.shape;
    expect(pathsOf({})).toEqual(isEither ? ["webhook_url"] : required);
    for (const name of Object.keys(destination.config.shape)) {
      for (const value of [{}, [], true]) expect(pathsOf({ [name]: value }), name).toContain(name);
    }
  });
});

const overHttp = DESTINATIONS.filter(({ type }) => !NOT_HTTP.has(type));
describe.each(overHttp.map((destination) => [destination.type, destination] as const))("%s", (type, destination) => {
  const sample = sampleOf(type);

  test("a completed and a failed task, and an alert, make requests that the vendor documents", async () => {
    for (const payload of [PAYLOAD, FAILED, FIRING]) {
      const { request, outcome } = await sendOnce(payload);
      expect(outcome).toMatchObject({ status: "success", httpCode: 200, error: null });
      expect(() => sample.request.parse(JSON.parse(partsOf(request)[0] ?? request.body))).not.toThrow();
      expect(request.headers["user-agent"]).toBe("Muster");
    }
  });

  test.each([200, 201, 202, 204])("status %i is a success", async (status) => {
    // A vendor whose reply is read has to say more than a status.
    if (sample.reply !== undefined) return;
    answer = (_, response) => response.writeHead(status).end();
    expect(await send()).toMatchObject({ status: "success", httpCode: status, error: null });
  });

  test.each([300, 304, 400, 401, 403, 404, 410, 422, 429, 500, 503])("status %i is a failure", async (status) => {
    answer = (_, response) => answerJson(response, { message: "no such thing" }, status);
    const said = status === 304 ? "HTTP 304" : `HTTP ${status}: {"message":"no such thing"}`;
    expect(await send()).toMatchObject({ status: "failed", httpCode: status, error: said, isFinal: status === 410 });
  });

  test("a vendor that times out, disconnects or is unreachable is a failure", async () => {
    answer = () => undefined;
    expect(await send({ timeoutMs: 150 })).toMatchObject({
      status: "failed",
      httpCode: null,
      error: "No reply within 0.15 s.",
    });
    answer = (_, response) => response.destroy();
    expect(await send()).toMatchObject({
      status: "failed",
      httpCode: null,
      error: expect.stringContaining("127.0.0.1"),
    });
    const gone = await startFakeServer(() => undefined);
    await gone.close();
    const refused = await deliver({ type, config: sample.config(gone.url), base: gone.url });
    expect(refused).toMatchObject({
      status: "failed",
      error: "127.0.0.1 cannot be reached: it rejects connections (ECONNREFUSED).",
    });
  });

  test("an HTML page or a megabyte in place of a reason is not in the error", async () => {
    answer = (_, response) => response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>");
    expect(await send()).toMatchObject({ status: "failed", httpCode: 502, error: "HTTP 502" });
    answer = (_, response) => response.writeHead(400).end("x".repeat(1_000_000));
    const { error, response } = await send();
    expect(error?.length).toBeLessThan(400);
    expect(Buffer.byteLength(response)).toBe(8_192);
  });

  test("at most 8 KiB of a request and of its reply are logged, counted in bytes", async () => {
    answer = (_, response) => response.writeHead(400).end(WIDE.repeat(10_000));
    const config = sample.config(vendor.url);
    const outcome = await deliver({ type, config, base: vendor.url, payload: WIDE_PAYLOAD });
    for (const logged of [outcome.request, outcome.response]) {
      expect(Buffer.byteLength(logged)).toBeLessThanOrEqual(8_192);
      expect(logged.isWellFormed()).toBe(true);
    }
    expect(Buffer.byteLength(outcome.response)).toBeGreaterThan(8_188);
  });

  test("a result is cut at the limit between code points, with a note of its full length", async () => {
    const limit = sample.limit ?? 100_000;
    const fits = await sendOnce({ ...PAYLOAD, result_full: WIDE.repeat(limit) });
    expect(sample.resultOf(fits.request)).toBe(WIDE.repeat(limit));
    const long = await sendOnce({ ...PAYLOAD, result_full: WIDE.repeat(limit + 1) });
    const note = sample.limit === undefined ? WIDE : `… (${(limit + 1).toLocaleString("en-US")} chars)`;
    expect(sample.resultOf(long.request)).toBe(WIDE.repeat(limit) + note);
    if (sample.limit !== undefined) sample.request.parse(JSON.parse(long.request.body));
  });

  verifies(
    "destinations.no-secret-in-errors",
    `${type} shows no secret when the vendor sends back what it got`,
    async () => {
      const config = sample.config(vendor.url);
      const secrets = secretFields(destination).map((name) => String(config[name]));
      const paths = secrets.flatMap((secret) => URL.parse(secret)?.pathname ?? []);
      answer = ({ path, headers, body }, response) => answerJson(response, { path, headers, body }, 400);
      const shown = shownOf(await send());
      for (const secret of [...secrets, ...paths, ACCESS_TOKEN]) {
        expect(shown).not.toContain(secret);
        expect(shown).not.toContain(encodeURIComponent(secret));
      }
      const broken = await deliver({ type, config: { ...config, nonsense: secrets } });
      for (const secret of secrets) expect(shownOf(broken)).not.toContain(secret);
    },
  );

  async function send(settings = {}) {
    return deliver({ type, config: sample.config(vendor.url), base: vendor.url, settings });
  }

  /** A delivery that the vendor takes, and its last request. */
  async function sendOnce(payload: typeof PAYLOAD) {
    answer = (request, response) => answerJson(response, sample.reply?.(request) ?? { ok: true });
    const outcome = await deliver({ type, config: sample.config(vendor.url), base: vendor.url, payload });
    const request = vendor.seen.at(-1);
    if (request === undefined) throw new Error("Nothing was sent.");
    return { outcome, request };
  }
});

function sampleOf(type: string): Sample {
  const sample = SAMPLES[type];
  if (sample === undefined) throw new Error(`test/support/destinations/samples.ts lacks ${type}.`);
  return sample;
}
