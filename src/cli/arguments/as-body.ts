/** A body whose fields a user has written, in the type of the request: the service checks it. */
export function asBody<Body>(given: object): Body;
export function asBody(given: object): object {
  return given;
}
