/** Finds the id in the URL of a vendor's page; undefined when it has none. */
export type IdOfUrl = (url: URL) => string | undefined;

const HEX_IDS = [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, /^[0-9a-f]{32}$/i] as const;
const HEX_LENGTHS = [36, 32] as const;

/** `https://www.notion.so/acme/Reports-0123456789abcdef0123456789abcdef?v=…` */
export const notionId: IdOfUrl = ({ pathname }) =>
  HEX_LENGTHS.map((length) => pathname.slice(-length)).find((end, index) => HEX_IDS[index]?.test(end));

/** `https://docs.google.com/spreadsheets/d/<id>/edit#gid=0` */
export const spreadsheetId: IdOfUrl = ({ pathname }) => /\/spreadsheets\/(?:u\/\d+\/)?d\/([\w-]+)/.exec(pathname)?.[1];

/** `https://drive.google.com/drive/u/0/folders/<id>?usp=sharing` */
export const folderId: IdOfUrl = ({ pathname, searchParams }) =>
  /\/folders\/([\w-]+)/.exec(pathname)?.[1] ??
  (pathname === "/open" ? (searchParams.get("id") ?? undefined) : undefined);

/** The URLs for sharing (`?cid=` in Base64), embedding (`?src=`) and subscribing (`/ical/<id>/public/basic.ics`). */
export const calendarId: IdOfUrl = ({ pathname, searchParams }) => {
  const shared = searchParams.get("cid");
  if (shared !== null) return shared.includes("@") ? shared : Buffer.from(shared, "base64").toString();
  const subscribed = /\/ical\/([^/]+)\//.exec(pathname)?.[1];
  return searchParams.get("src") ?? (subscribed === undefined ? undefined : decodeURIComponent(subscribed));
};

/** `https://app.asana.com/0/<id>/list`, or `https://app.asana.com/1/<workspace>/project/<id>/list`. */
export const asanaProject: IdOfUrl = ({ pathname }) => /^\/(?:0|1\/\d+\/project)\/(\d+)(?:\/|$)/.exec(pathname)?.[1];

/** `https://github.com/acme/reports/issues`, or the URL to clone it. */
export const githubRepository: IdOfUrl = ({ pathname }) => /^\/([^/]+\/[^/]+?)(?:\.git)?(?:\/|$)/.exec(pathname)?.[1];

/** `https://linear.app/acme/team/ENG/active` */
export const linearTeam: IdOfUrl = ({ pathname }) => /\/team\/(\w+)/.exec(pathname)?.[1];

/** The name of a channel in its link, `https://t.me/results`. */
export function telegramChannel(link: string): string | undefined {
  const name = /^https?:\/\/(?:www\.)?(?:t|telegram)\.me\/(?:s\/)?([A-Za-z]\w{3,31})\/?$/.exec(link)?.[1];
  return name === undefined ? undefined : `@${name}`;
}
