/** The fields of a form that differ from its record. Only these are saved, so that a change by another person stays. */
export function changedFields<Body extends object>(
  body: Body,
  opened: { readonly [K in keyof Body]?: unknown },
): Partial<Body> {
  const changed: Partial<Body> = {};
  for (const field in body) if (!isSame(body[field], opened[field])) changed[field] = body[field];
  return changed;
}

/** Whether two values are the same as JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
