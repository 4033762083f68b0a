/** A person of a workspace, the bot of an API key, or the bot that is the author of content of the operator. */
export interface User {
  /** The bot of an API key has the id of the key. */
  readonly id: string;
  readonly type: "person" | "bot";
  readonly name: string;
  /** Null for bots. */
  readonly email: string | null;
  readonly avatarUrl: string | null;
  /** Milliseconds since 1970. */
  readonly createdTime: number;
}
