export interface MessageLink {
  readonly path: string;
  readonly text: string;
}

/** A refused request of the web application, with the HTTP status and the message that the visitor reads. */
export class WebRequestError extends Error {
  override readonly name = "WebRequestError";

  constructor(
    readonly status: 400 | 403 | 404 | 409 | 413,
    message: string,
    /** Link to continue with; by default it leads to the start page. */
    readonly link?: MessageLink,
  ) {
    super(message);
  }
}
