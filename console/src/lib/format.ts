/** Every number, time and amount on the page is written here, so that each is written in one way. */

import { chosenTimes } from "./times.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LOCALE = "en-GB";
const UTC = "UTC";
const CENT = 0.01;
const SMALLEST_COST = 0.0001;

const dayAndTime = dates({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const withYear = dates({ day: "numeric", month: "short", year: "numeric" });
const clock = dates({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const withMs = dates({
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});
const exact = dates({ dateStyle: "medium", timeStyle: "long" });
const dayOnly = dates({ day: "numeric", month: "short", timeZone: UTC });
const whole = numbers(0);
const thousands = numbers(1);
const inCents = numbers(2);
const belowCent = numbers(4);
const list = new Intl.ListFormat(LOCALE);

/** A time as people say it: `just now`, `3 min ago`, `in 5 min`; from 24 h on `22 Nov, 14:03`. */
export function relativeTime(time: Date, now: Date): string {
  const ms = now.getTime() - time.getTime();
  const distance = Math.abs(ms);
  if (distance >= DAY) return time.getFullYear() === now.getFullYear() ? dayAndTime(time) : withYear(time);
  if (distance < 5 * SECOND) return "just now";
  const amount = coarse(distance);
  return ms > 0 ? `${amount} ago` : `in ${amount}`;
}

/** The exact time with its zone, for a tooltip. */
export function exactTime(time: Date): string {
  return exact(time);
}

/**
 * A time in a zone, with the zone's offset then: `Mon, 29 Mar 2027, 09:00 GMT+2`. UTC has one offset only: the name of
 * the zone beside the time is enough.
 */
export function zonedTime(time: Date, zone: string): string {
  return new Intl.DateTimeFormat(LOCALE, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: zone,
    ...(zone !== UTC && { timeZoneName: "shortOffset" }),
  }).format(time);
}

/** A day that is counted in UTC, as usage is: `22 Nov`. */
export function utcDay(day: Date): string {
  return dayOnly(day);
}

/** The time of the day: `14:03`. */
export function clockTime(time: Date): string {
  return clock(time);
}

/** The time of the day, before today with the date: `14:03`, `22 Nov, 14:03`. */
export function clockOrDate(time: Date, now: Date): string {
  if (time.toDateString() === now.toDateString()) return clock(time);
  return time.getFullYear() === now.getFullYear() ? dayAndTime(time) : withYear(time);
}

/** The time of the day to the millisecond: `14:03:07.042`. */
export function clockWithMs(time: Date): string {
  return withMs(time);
}

/** A day and its time to the millisecond: `22 Nov 2026, 14:03:07.042`. */
export function dateWithMs(time: Date): string {
  return `${withYear(time)}, ${withMs(time)}`;
}

/** `850 ms`, `4.2 s`, `42 s`, `3 min 12 s`, `2 h 05 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return pair(Math.floor(ms / MINUTE), "min", Math.floor((ms % MINUTE) / SECOND), "s");
  if (ms < DAY) return pair(Math.floor(ms / HOUR), "h", Math.floor((ms % HOUR) / MINUTE), "min");
  return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`;
}

/** What is left until a deadline: `4 min 05 s`, and `0 s` after it. */
export function countdown(deadline: Date, now: Date): string {
  const left = Math.max(deadline.getTime() - now.getTime(), 0);
  return left < MINUTE ? `${Math.ceil(left / SECOND)} s` : duration(left);
}

/** `$0.0042` below one cent, `$1.20` from there on, `<$0.0001` for less; `no price` when it is unknown. */
export function cost(usd: number | null): string {
  if (usd === null) return "no price";
  if (usd === 0) return "$0";
  if (usd < SMALLEST_COST) return `<$${belowCent(SMALLEST_COST)}`;
  return `$${(usd < CENT ? belowCent : inCents)(usd)}`;
}

/** All digits of an amount, for a tooltip. */
export function exactCost(usd: number | null): string {
  return usd === null ? "No price is known for the model" : `$${usd}`;
}

/** `1,234`; from 10,000 on `12.3k`, from a million on `1.2M`. */
export function tokens(count: number): string {
  if (count < 10_000) return whole(count);
  if (count < 1_000_000) return `${thousands(count / 1_000)}k`;
  return `${thousands(count / 1_000_000)}M`;
}

/** A whole number with separators. */
export function count(value: number): string {
  return whole(value);
}

/** `98 %`; only all is 100 %, and only none is 0 %. */
export function percent(share: number): string {
  if (share <= 0 || share >= 1) return `${share <= 0 ? 0 : 100} %`;
  return `${Math.min(99, Math.max(1, Math.round(share * 100)))} %`;
}

/** The begin and the end of an id; copied is all of it. Ids begin with their time: those of a minute begin alike. */
export function shortId(id: string): string {
  return `${id.slice(0, 8)}…${id.slice(-4)}`;
}

/** `1 question`, `4 questions`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Several things in one phrase: `a, b and c`. */
export function listed(things: readonly string[]): string {
  return list.format(things);
}

/** With a capital letter at its begin. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `812 B`, `14.2 KiB`, `3.1 MiB`, `107.4 GiB`: the units of the settings, of quotas and of the command line. */
export function bytes(size: number): string {
  if (size < 2 ** 10) return `${size} B`;
  if (size < 2 ** 20) return `${thousands(size / 2 ** 10)} KiB`;
  if (size < 2 ** 30) return `${thousands(size / 2 ** 20)} MiB`;
  return `${thousands(size / 2 ** 30)} GiB`;
}

/** A rate: `0.4/s`, `12/s`. */
export function perSecond(rate: number): string {
  return `${rate < 10 ? thousands(rate) : whole(rate)}/s`;
}

function coarse(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  return `${Math.floor(ms / HOUR)} h`;
}

function pair(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return `${big} ${bigUnit} ${String(small).padStart(2, "0")} ${smallUnit}`;
}

/** Made when it is first needed: a formatter takes milliseconds to make, and a page needs few of them. */
function dates(options: Intl.DateTimeFormatOptions): (time: Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (time) => (format ??= new Intl.DateTimeFormat(LOCALE, { ...chosenZone(), ...options })).format(time);
}

/** The browser's own zone, or UTC where the person prefers it. */
function chosenZone(): Intl.DateTimeFormatOptions {
  return chosenTimes() === "utc" ? { timeZone: UTC } : {};
}

function numbers(digits: number): (value: number) => string {
  let format: Intl.NumberFormat | undefined;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return (value) => (format ??= new Intl.NumberFormat("en-US", options)).format(value);
}
