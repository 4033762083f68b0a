/** Who can be named in a workspace. */
export interface User {
  /** A bot has the id of its API key. */
  readonly id: string;
  readonly type: "person" | "bot";
  readonly name: string;
  /** Null for bots. */
  readonly email: string | null;
  readonly avatarUrl: string | null;
  /** Milliseconds since 1970. */
  readonly createdTime: number;
}
