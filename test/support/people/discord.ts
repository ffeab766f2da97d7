import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { z } from "zod";
import { answerJson, startFakeServer } from "../fake-server.ts";
import { unixSeconds } from "./fake-channel.ts";
import type { Called, CallOptions, CallResult, FakeChannel, ShownMessage } from "./fake-channel.ts";

const [TOKEN, CHANNEL] = ["discord-secret-token", "100000000000000007"] as const;

const button = z.union([
  z.strictObject({
    type: z.literal(2),
    style: z.int().min(1).max(4),
    label: z.string().min(1).max(80),
    custom_id: z.string().min(1).max(100),
  }),
  z.strictObject({ type: z.literal(2), style: z.literal(5), label: z.string().min(1).max(80), url: z.url().max(512) }),
]);
const row = z.strictObject({ type: z.literal(1), components: z.array(button).min(1).max(5) });
/** Discord formats titles and descriptions, so nothing in them may be markup: it would hide or rename what is asked. */
const plain = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(
      (text) => !/[*_~|`<>[\]#]/.test(text.replaceAll(/\\[^0-9A-Za-z\s]|https?:\/\/[\w./?=&%#-]+/g, "")),
      "markup",
    );
const embed = z.strictObject({
  title: plain(256),
  description: plain(4_096).optional(),
  author: z.strictObject({ name: z.string().min(1).max(256) }),
  footer: z.strictObject({ text: z.string().max(2_048) }),
});
/** https://discord.com/developers/docs/resources/message#create-message */
const message = z
  .strictObject({
    content: z.string().max(2_000).optional(),
    embeds: z.array(embed).min(1).max(10),
    components: z.array(row).max(5),
    allowed_mentions: z.strictObject({ parse: z.array(z.string()) }),
  })
  .refine(({ embeds }) => JSON.stringify(embeds).length <= 6_000, "more than 6,000 characters in embeds");
/** https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object */
const reply = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal(1) }),
  z.strictObject({
    type: z.literal(4),
    data: z.strictObject({
      content: z.string().min(1).max(2_000),
      flags: z.literal(64),
      allowed_mentions: z.strictObject({ parse: z.array(z.string()) }),
    }),
  }),
  z.strictObject({ type: z.literal(6) }),
  z.strictObject({
    type: z.literal(9),
    data: z.strictObject({
      custom_id: z.string().max(100),
      title: z.string().min(1).max(45),
      components: z.tuple([
        z.strictObject({
          type: z.literal(18),
          label: z.string().min(1).max(45),
          component: z.strictObject({
            type: z.literal(4),
            custom_id: z.string().max(100),
            style: z.literal(2),
            max_length: z.int().max(4_000),
          }),
        }),
      ]),
    }),
  }),
]);

/** A fake of Discord with what only it can do. */
export type FakeDiscord = FakeChannel & {
  /** Checks the URL, as Discord does when it is saved. */
  ping(to: Called, isForged?: boolean): Promise<{ readonly status: number; readonly type: number | undefined }>;
};

/** Starts Discord with one application in one channel. */
export async function startDiscord(): Promise<FakeDiscord> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const other = generateKeyPairSync("ed25519").privateKey;
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  const messages = new Map<string, ShownMessage>();
  const deleted = new Set<string>();
  const faults: string[] = [];

  const server = await startFakeServer(({ method, path, headers, body }, response) => {
    const reject = (reason: string, status = 400) => {
      faults.push(`${path}: ${reason}`);
      answerJson(response, { message: reason, code: 50_035 }, status);
    };
    const root = `/api/v10/channels/${CHANNEL}/messages`;
    if (!path.startsWith(root)) return reject("404: Not Found", 404);
    if (headers.authorization !== `Bot ${TOKEN}`) return reject("401: Unauthorized", 401);
    const { data, error } = message.safeParse(JSON.parse(body));
    if (data === undefined) return reject(`Invalid Form Body: ${error?.message}`);
    const [, id = String(200 + messages.size)] = path.slice(root.length).split("/");
    if (deleted.has(id)) return answerJson(response, { message: "Unknown Message", code: 10_008 }, 404);
    const before = messages.get(id);
    if ((method === "PATCH") !== (before !== undefined)) return reject("Unknown Message", 404);
    messages.set(id, { id, ...shown(data), edits: before === undefined ? 0 : before.edits + 1 });
    answerJson(response, { id, channel_id: CHANNEL });
  });

  async function send(to: Called, options: Omit<CallOptions, "person">, interaction: object) {
    const { isForged = false, signedAt = unixSeconds() } = options;
    const body = JSON.stringify({ id: randomUUID(), application_id: "1", token: "t", version: 1, ...interaction });
    const signature = sign(null, Buffer.from(`${signedAt}${body}`), isForged ? other : privateKey);
    const response = await fetch(`${to.url}/channels/${to.routeId}/discord`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-signature-ed25519": signature.toString("hex"),
        "x-signature-timestamp": String(signedAt),
      },
      body,
    });
    return { status: response.status, said: response.ok ? reply.parse(await response.json()) : undefined };
  }

  const memberOf = ({ person }: CallOptions) => ({
    nick: null,
    user: { id: person.id, username: person.name.toLowerCase(), global_name: person.name },
  });
  const noticeOf = (said: z.output<typeof reply> | undefined) => (said?.type === 4 ? said.data.content : undefined);
  const resultOf = ({ status, said }: Awaited<ReturnType<typeof send>>): CallResult => ({
    status,
    notice: noticeOf(said),
  });
  const pressed = (to: Called, code: string, options: CallOptions) =>
    send(to, options, { type: 3, member: memberOf(options), data: { custom_id: code, component_type: 2 } });
  return {
    type: "discord",
    env: { DISCORD_API_BASE: server.url },
    config: { bot_token: TOKEN, channel_id: CHANNEL, public_key: raw.toString("hex") },
    messages: () => [...messages.values()],
    remove: (id) => void deleted.add(id),
    faults,
    press: async (to, code, options) => resultOf(await pressed(to, code, options)),
    async write(to, { buttons }, text, options) {
      const opened = await pressed(to, buttons.find(({ label }) => label === "Answer")?.code ?? "", options);
      if (opened.said?.type !== 9) return resultOf(opened);
      const { custom_id: code, components } = opened.said.data;
      const input = { type: 4, custom_id: components[0].component.custom_id, value: text };
      const data = { custom_id: code, components: [{ type: 18, component: input }] };
      return resultOf(await send(to, options, { type: 5, member: memberOf(options), data }));
    },
    async ping(to, isForged = false) {
      const { status, said } = await send(to, { isForged }, { type: 1 });
      return { status, type: said?.type };
    },
    close: () => server.close(),
  };
}

function shown({ embeds, components }: z.output<typeof message>): Pick<ShownMessage, "text" | "buttons"> {
  return {
    text: embeds
      .flatMap((one) => [one.author.name, unescaped(one.title), unescaped(one.description ?? ""), one.footer.text])
      .join("\n"),
    buttons: components
      .flatMap((one) => one.components)
      .map(({ label, ...one }) => ("url" in one ? { label, url: one.url } : { label, code: one.custom_id })),
  };
}

/** A backslash before punctuation shows it as it is. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([^0-9A-Za-z\s])/g, "$1");
}
