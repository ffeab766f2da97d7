/** The fields of a form that differ from its record. Only these are saved, so that a change by another person stays. */
export function changedFields<Body extends object>(
  body: Body,
  opened: { readonly [K in keyof Body]?: unknown },
): Partial<Body> {
  const changed: Partial<Body> = {};
  for (const field in body) if (!isSame(body[field], opened[field])) changed[field] = body[field];
  return changed;
}

/** Whether another person has changed one of these fields since the form was opened. */
export function isStale<Field extends string>(
  fields: readonly Field[],
  opened: { readonly [K in Field]?: unknown } | undefined,
  now: { readonly [K in Field]?: unknown } | undefined,
): boolean {
  return opened !== undefined && now !== undefined && fields.some((field) => !isSame(opened[field], now[field]));
}

/** Whether two values are the same as JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
