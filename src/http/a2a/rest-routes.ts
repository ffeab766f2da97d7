/** A method of A2A 1.0 with the params that a path holds. */
export interface RestRoute {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
}

const ID = "([^/:]+)";
const CONFIGS = `tasks/${ID}/pushNotificationConfigs`;

/** The HTTP method, the path below the endpoint, the method of A2A, and the params in the path's order. */
const ROUTES = [
  ["POST", "message:send", "SendMessage", []],
  ["POST", "message:stream", "SendStreamingMessage", []],
  ["GET", "tasks", "ListTasks", []],
  ["GET", `tasks/${ID}`, "GetTask", ["id"]],
  ["POST", `tasks/${ID}:cancel`, "CancelTask", ["id"]],
  ["GET", `tasks/${ID}:subscribe`, "SubscribeToTask", ["id"]],
  ["POST", `tasks/${ID}:subscribe`, "SubscribeToTask", ["id"]],
  ["POST", CONFIGS, "CreateTaskPushNotificationConfig", ["taskId"]],
  ["GET", CONFIGS, "ListTaskPushNotificationConfigs", ["taskId"]],
  ["GET", `${CONFIGS}/([^/]+)`, "GetTaskPushNotificationConfig", ["taskId", "id"]],
  ["DELETE", `${CONFIGS}/([^/]+)`, "DeleteTaskPushNotificationConfig", ["taskId", "id"]],
  ["GET", "extendedAgentCard", "GetExtendedAgentCard", []],
] as const;

const PATTERNS = ROUTES.map(([verb, path, method, names]) => ({
  verb,
  pattern: new RegExp(`^/a2a/[^/]+/${path}$`),
  method,
  names,
}));

/** Finds the method that a request of the HTTP+JSON binding calls. */
export function routeOf(verb: string, path: string): RestRoute | undefined {
  for (const route of PATTERNS) {
    const found = route.verb === verb ? route.pattern.exec(path) : null;
    if (found === null) continue;
    const params = route.names.map((name, index) => [name, decoded(found[index + 1] ?? "")] as const);
    return { method: route.method, params: Object.fromEntries(params) };
  }
  return undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
