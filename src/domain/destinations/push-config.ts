/** A push notification configuration as the API shows it, without secrets. */
export interface PushConfig {
  readonly name: string;
  readonly url: string;
  readonly auth_scheme: string | null;
}

/** A configuration as a client sends it. */
export interface NewPushConfig {
  /** Absent: a name is generated. */
  readonly name: string | undefined;
  /** The A2A version of the notifications. */
  readonly version: "0.3" | "1.0";
  readonly url: string;
  /** Sent with each notification, so that the receiver can verify it. */
  readonly token: string | undefined;
  readonly authScheme: string | undefined;
  readonly credentials: string | undefined;
}

/** The row to which the secrets of a configuration are bound. */
export function pushConfigContext(workspaceId: string, id: string): string {
  return `push_configs:${workspaceId}:${id}`;
}
