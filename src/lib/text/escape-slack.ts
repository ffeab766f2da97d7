/**
 * Escapes the characters by which Slack marks mentions and links
 * (https://docs.slack.dev/messaging/formatting-message-text#escaping).
 */
export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
