/** The operations of output routes, deliveries, subscriptions and boards; openapi-deliveries.test.ts proves them. */
export const DESTINATION_OPERATIONS: readonly string[] = [
  "GET /console/api/route-types",
  ...["routes", "hooks", "trello-channels"].flatMap((name) => [
    ...["GET", "POST"].map((method) => `${method} /console/api/${name}`),
    ...["GET", "DELETE"].map((method) => `${method} /console/api/${name}/{id}`),
  ]),
  "GET /oauth/google/callback",
  ...["GET", "POST"].map((method) => `${method} /inbound/trello/{channelId}`),
  "GET /console/api/google-account",
  "DELETE /console/api/google-account",
  "POST /console/api/google-account/connect",
  "POST /console/api/google-account/finish",
  "PATCH /console/api/routes/{id}",
  "POST /console/api/routes/{id}/test",
  "GET /console/api/routes/{id}/setup",
  "POST /channels/{routeId}/{vendor}",
  "POST /console/api/hooks/{id}/rotate",
  "GET /console/api/deliveries",
  "GET /console/api/deliveries/{id}",
  "POST /console/api/deliveries/{id}/redeliver",
  "POST /console/api/deliveries/redeliver",
];
