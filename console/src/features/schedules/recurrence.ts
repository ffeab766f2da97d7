/** How a schedule repeats, as far as plain words can express it; `cron` is everything else. */
export type Recurrence =
  | { readonly kind: "minutes"; readonly every: number }
  | { readonly kind: "hourly"; readonly minute: number }
  | { readonly kind: "daily"; readonly time: string }
  | { readonly kind: "weekdays"; readonly time: string }
  | { readonly kind: "weekly"; readonly day: number; readonly time: string }
  | { readonly kind: "monthly"; readonly day: number; readonly time: string }
  | { readonly kind: "cron"; readonly cron: string };

/** The kinds with their labels. */
export const RECURRENCE_LABELS = {
  minutes: "Every few minutes",
  hourly: "Every hour",
  daily: "Every day",
  weekdays: "Every weekday",
  weekly: "Every week",
  monthly: "Every month",
  cron: "By a cron expression",
} as const satisfies Readonly<Record<Recurrence["kind"], string>>;

/** From Sunday on, as cron counts them. */
export const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

const FIRST_TIME = "09:00";
const NUMBER = /^\d{1,2}$/;

/** A rhythm of a kind, as a form begins with it. */
export function defaultRecurrence(kind: Recurrence["kind"], cron: string): Recurrence {
  switch (kind) {
    case "minutes":
      return { kind, every: 15 };
    case "hourly":
      return { kind, minute: 0 };
    case "daily":
    case "weekdays":
      return { kind, time: FIRST_TIME };
    case "weekly":
    case "monthly":
      return { kind, day: 1, time: FIRST_TIME };
    case "cron":
      return { kind, cron };
  }
}

/** The cron expression of a rhythm. */
export function cronOf(rhythm: Recurrence): string {
  switch (rhythm.kind) {
    case "minutes":
      return `*/${rhythm.every} * * * *`;
    case "hourly":
      return `${rhythm.minute} * * * *`;
    case "daily":
      return `${clockOf(rhythm.time)} * * *`;
    case "weekdays":
      return `${clockOf(rhythm.time)} * * 1-5`;
    case "weekly":
      return `${clockOf(rhythm.time)} * * ${rhythm.day}`;
    case "monthly":
      return `${clockOf(rhythm.time)} ${rhythm.day} * *`;
    case "cron":
      return rhythm.cron;
  }
}

/** The recurrence of a cron expression, if plain words can express it. */
export function parseRecurrence(cron: string): Recurrence {
  const own: Recurrence = { kind: "cron", cron };
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...more] = cron.trim().split(/\s+/);
  if (more.length > 0 || month !== "*") return own;
  const every = /^\*\/(\d{1,2})$/.exec(minute)?.[1];
  if (hour === "*" && day === "*" && weekday === "*") {
    if (every !== undefined) return { kind: "minutes", every: Number(every) };
    return NUMBER.test(minute) ? { kind: "hourly", minute: Number(minute) } : own;
  }
  if (!NUMBER.test(minute) || !NUMBER.test(hour)) return own;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (day === "*" && weekday === "*") return { kind: "daily", time };
  if (day === "*" && weekday === "1-5") return { kind: "weekdays", time };
  if (day === "*" && /^[0-6]$/.test(weekday)) return { kind: "weekly", day: Number(weekday), time };
  if (weekday === "*" && NUMBER.test(day)) return { kind: "monthly", day: Number(day), time };
  return own;
}

/** A cron expression in plain words, such as `Every weekday at 09:00`; otherwise the expression itself. */
export function cronLabel(cron: string): string {
  const rhythm = parseRecurrence(cron);
  switch (rhythm.kind) {
    case "minutes":
      return rhythm.every === 1 ? "Every minute" : `Every ${rhythm.every} minutes`;
    case "hourly":
      return `Every hour at minute ${rhythm.minute}`;
    case "daily":
      return `Every day at ${rhythm.time}`;
    case "weekdays":
      return `Every weekday at ${rhythm.time}`;
    case "weekly":
      return `Every ${DAYS[rhythm.day] ?? ""} at ${rhythm.time}`;
    case "monthly":
      return `On day ${rhythm.day} of every month at ${rhythm.time}`;
    case "cron":
      return cron;
  }
}

function clockOf(time: string): string {
  const [hour = "0", minute = "0"] = time.split(":");
  return `${Number(minute)} ${Number(hour)}`;
}
