/** Types a user's JSON as the request's body. It is not checked here: the service validates it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the user's input has no type; the service validates it
export function asBody<Body>(given: object): Body;
export function asBody(given: object): object {
  return given;
}
