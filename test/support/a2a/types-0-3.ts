import type {
  AgentCard,
  CancelTaskSuccessResponse,
  DeleteTaskPushNotificationConfigSuccessResponse,
  GetAuthenticatedExtendedCardSuccessResponse,
  GetTaskPushNotificationConfigSuccessResponse,
  GetTaskSuccessResponse,
  JSONRPCErrorResponse,
  ListTaskPushNotificationConfigSuccessResponse,
  SendMessageSuccessResponse,
  SendStreamingMessageSuccessResponse,
  SetTaskPushNotificationConfigSuccessResponse,
} from "a2a-sdk-0";

/** What each method of A2A 0.3 answers, by the types that the official SDK generates from the protocol's JSON schema. */
export interface A2aAnswers {
  readonly card: AgentCard;
  readonly error: JSONRPCErrorResponse;
  readonly "message/send": SendMessageSuccessResponse;
  readonly "message/stream": SendStreamingMessageSuccessResponse;
  readonly "tasks/get": GetTaskSuccessResponse;
  readonly "tasks/cancel": CancelTaskSuccessResponse;
  readonly "tasks/resubscribe": SendStreamingMessageSuccessResponse;
  readonly "tasks/pushNotificationConfig/set": SetTaskPushNotificationConfigSuccessResponse;
  readonly "tasks/pushNotificationConfig/get": GetTaskPushNotificationConfigSuccessResponse;
  readonly "tasks/pushNotificationConfig/list": ListTaskPushNotificationConfigSuccessResponse;
  readonly "tasks/pushNotificationConfig/delete": DeleteTaskPushNotificationConfigSuccessResponse;
  readonly "agent/getAuthenticatedExtendedCard": GetAuthenticatedExtendedCardSuccessResponse;
}
