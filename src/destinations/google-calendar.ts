import { z } from "zod";
import { vendorIdOrUrl, wholeNumber } from "./config/fields.ts";
import { calendarId } from "./config/vendor-url.ts";
import { defineDestination } from "./define-destination.ts";
import { itemBody, itemTitle, oneLine } from "./message/describe.ts";
import { UTF_16, truncate } from "./message/truncate.ts";
import type { Unit } from "./message/truncate.ts";
import { escapeHtml } from "#lib/text/escape-html.ts";

const MINUTE_MS = 60_000;
/** How long after completion the event starts. */
const STARTS_AFTER_MS = 60 * MINUTE_MS;
/** A description is limited to 8,192 characters, including the lines above the result. */
const MAX_RESULT = 7_000;
/** The size of a code point in an escaped text. */
const ESCAPED: Unit = (codePoint) => Math.max(UTF_16(codePoint), escapeHtml(String.fromCodePoint(codePoint)).length);
/** The event id exists already: an earlier attempt succeeded. */
const CONFLICT = 409;

/** Creates an event (https://developers.google.com/workspace/calendar/api/v3/reference/events/insert). */
export default defineDestination({
  type: "google_calendar",
  title: "Google Calendar",
  description: "Creates an event that starts one hour after completion.",
  guide: {
    setup: 'The calendar\'s ID is in its settings, under "Integrate calendar".',
    example: { calendar_id: "team@group.calendar.google.com", duration_minutes: 45 },
  },
  account: "google",
  vendor: { setting: "GOOGLE_API_BASE", base: "https://www.googleapis.com" },
  config: z.strictObject({
    calendar_id: vendorIdOrUrl("Calendar ID", {
      idOf: calendarId,
      pattern: /^(?:primary|[^\s/@]+@[^\s/@]+)$/,
      message: 'must be "primary", an ID such as team@group.calendar.google.com, or the URL for sharing the calendar',
    })
      .default("primary")
      .meta({ title: "Calendar ID", description: "Default: primary." }),
    duration_minutes: wholeNumber({ min: 1, max: 1_440 }).default(30).meta({ title: "Duration minutes" }),
  }),
  async deliver(context, { calendar_id: calendar, duration_minutes: minutes }, payload) {
    const start = Date.parse(payload.timestamp) + STARTS_AFTER_MS;
    const result = truncate(payload.result_full, MAX_RESULT, ESCAPED);
    await context.callApi(`/calendar/v3/calendars/${encodeURIComponent(calendar)}/events`, {
      headers: { authorization: `Bearer ${await context.googleAccessToken()}` },
      alsoOk: CONFLICT,
      json: {
        // An id of letters a to v and digits, derived from the delivery: a retry cannot create a second event.
        id: context.deliveryId.replaceAll("-", ""),
        summary: itemTitle(context.serviceName, payload),
        // A description is HTML.
        description: escapeHtml(`Title: ${oneLine(payload.task_title)}\n${itemBody(payload, result)}`),
        start: { dateTime: new Date(start).toISOString() },
        end: { dateTime: new Date(start + minutes * MINUTE_MS).toISOString() },
      },
    });
  },
});
