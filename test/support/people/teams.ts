import { z } from "zod";
import { startFakeServer } from "../fake-server.ts";

/** A message is limited to 28 KB (https://learn.microsoft.com/microsoftteams/limits-specifications-teams). */
const MAX_BYTES = 28 * 1_024;

/** Of these, Teams shows Markdown as it is. */
const textRun = z.strictObject({
  type: z.literal("TextRun"),
  text: z.string().min(1),
  size: z.enum(["Default", "Small", "Medium", "Large", "ExtraLarge"]).optional(),
  weight: z.enum(["Default", "Lighter", "Bolder"]).optional(),
  fontType: z.enum(["Default", "Monospace"]).optional(),
  isSubtle: z.boolean().optional(),
});
const richTextBlock = z.strictObject({ type: z.literal("RichTextBlock"), inlines: z.tuple([textRun]) });
/** Adaptive Card 1.4 (https://adaptivecards.io/explorer) in the envelope of a webhook's message. */
const message = z.strictObject({
  type: z.literal("message"),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal("application/vnd.microsoft.card.adaptive"),
      contentUrl: z.null(),
      content: z.strictObject({
        $schema: z.literal("http://adaptivecards.io/schemas/adaptive-card.json"),
        type: z.literal("AdaptiveCard"),
        version: z.literal("1.4"),
        body: z.array(richTextBlock).min(1),
        actions: z.array(z.strictObject({ type: z.literal("Action.OpenUrl"), title: z.string().min(1), url: z.url() })),
      }),
    }),
  ]),
});

/** A question as people see it. */
export interface ShownQuestion {
  readonly text: string;
  readonly link: string | undefined;
}

/** Starts Teams with one channel; it rejects what is no card that it documents. */
export async function startTeams() {
  const faults: string[] = [];
  const cards: ShownQuestion[] = [];
  const server = await startFakeServer(({ body }, response) => {
    const { data, error } = message.safeParse(JSON.parse(body));
    const isTooLarge = Buffer.byteLength(body) > MAX_BYTES;
    if (data === undefined || isTooLarge) {
      faults.push(isTooLarge ? "413" : (error?.message ?? ""));
      response.writeHead(isTooLarge ? 413 : 400).end();
      return;
    }
    const [{ content }] = data.attachments;
    cards.push({ text: content.body.map(({ inlines: [{ text }] }) => text).join("\n"), link: content.actions[0]?.url });
    response.writeHead(202).end();
  });
  return {
    env: { TEAMS_API_BASE: server.url },
    config: { webhook_url: "https://example.webhook.office.com/webhookb2/secret" },
    faults,
    cards: (): readonly ShownQuestion[] => cards,
    close: () => server.close(),
  };
}
