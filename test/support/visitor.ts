/** A minimal browser: it stores cookies and fills in forms, but follows no redirects. */
export class Visitor {
  readonly #url: string;
  readonly cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Requests a page. */
  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(path, { headers });
  }

  /** Sends fields unchanged. */
  send(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.#send(path, { method: "POST", body: new URLSearchParams(fields), headers });
  }

  /** Fills in and sends the form of a page with this action, including its hidden fields. */
  async submit(page: string, action: string, fields: Record<string, string> = {}): Promise<Response> {
    const hidden = readHiddenFields(await (await this.get(page)).text(), action);
    return this.send(action, { ...hidden, ...fields });
  }

  /** Creates an account and signs in; `page` is the path of the form or of an invitation. */
  async signUp(name: string, page = "/sign-up"): Promise<Response> {
    const form = page.startsWith("/join/") ? `/sign-up?next=${encodeURIComponent(page)}` : page;
    const email = `${name.toLowerCase()}@example.org`;
    const created = await this.submit(form, "/sign-up", { name, email, password: PASSWORD });
    if (created.status !== 200) return created;
    const hidden = readHiddenFields(await created.text(), "/sign-in");
    return this.send("/sign-in", { ...hidden, email, password: PASSWORD });
  }

  /** Attempts to sign in. */
  signIn(email: string, password = PASSWORD): Promise<Response> {
    return this.submit("/sign-in", "/sign-in", { email, password });
  }

  /** Creates a key and returns it. */
  async createKey(name = "Key", fields: Record<string, string> = {}): Promise<string> {
    const form = { name, expires: "90d", access: "full", ...fields };
    const response = await this.submit("/settings/api", "/settings/api/keys", form);
    const key = /ps_[0-9A-Za-z]{36}/.exec(await response.text())?.[0];
    if (key === undefined) throw new Error(`The response with status ${response.status} contains no key.`);
    return key;
  }

  /** Creates an invitation to the workspace, and returns the path of its link. */
  async invite(role: "owner" | "member" = "member"): Promise<string> {
    const response = await this.submit("/settings/members", "/settings/members/invite", { role });
    const path = /\/join\/[\w-]{43}/.exec(await response.text())?.[0];
    if (path === undefined) throw new Error(`The response with status ${response.status} contains no link.`);
    return path;
  }

  async #send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = cookie === "" ? init.headers : { cookie, ...init.headers };
    const response = await fetch(this.#url + path, { ...init, headers, redirect: "manual" });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (/Max-Age=0/.test(text)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

/** The password of every account. */
export const PASSWORD = "correct horse battery";

/** Returns the hidden fields of the first form with this action. */
export function readHiddenFields(page: string, action: string): Record<string, string> {
  const form = page.split("<form").find((part) => part.includes(`action="${action}"`));
  if (form === undefined) throw new Error(`The page has no form with the action ${action}.`);
  const inputs = form.split("</form>")[0]?.match(/<input[^>]*type="hidden"[^>]*>/g) ?? [];
  return Object.fromEntries(
    inputs.map((input) => [
      /name="([^"]*)"/.exec(input)?.[1] ?? "",
      (/value="([^"]*)"/.exec(input)?.[1] ?? "").replace(/&#(\d+);/g, (_, code: string) =>
        String.fromCharCode(Number(code)),
      ),
    ]),
  );
}
