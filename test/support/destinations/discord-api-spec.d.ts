/** The part of the schemas generated from Discord's OpenAPI document that the tests use; they come without types. */
declare module "discord-api-spec/zod" {
  /** The body of https://discord.com/developers/docs/resources/webhook#execute-webhook. */
  export const IncomingWebhookRequestPartialSchema: { parse(value: unknown): unknown };
}
