/** A browser without a screen: keeps cookies, fills in forms, follows no redirect by itself. */
export class Visitor {
  readonly #url: string;
  readonly cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Gets a page. */
  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(path, { headers });
  }

  /** Sends fields as they are. */
  send(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.#send(path, { method: "POST", body: new URLSearchParams(fields), headers });
  }

  /** Fills in the form of a page that is sent to `action`, hidden fields and all, and sends it. */
  async submit(page: string, action: string, fields: Record<string, string> = {}): Promise<Response> {
    const hidden = hiddenFields(await (await this.get(page)).text(), action);
    return this.send(action, { ...hidden, ...fields });
  }

  /** Makes an account, and is signed in then. */
  signUp(name: string, page = "/sign-up"): Promise<Response> {
    return this.submit(page, "/sign-up", {
      name,
      email: `${name.toLowerCase()}@example.org`,
      password: PASSWORD,
    });
  }

  /** Tries to sign in. */
  signIn(email: string, password = PASSWORD): Promise<Response> {
    return this.submit("/sign-in", "/sign-in", { email, password });
  }

  /** Makes a key, and gives it. */
  async createKey(name = "Key", fields: Record<string, string> = {}): Promise<string> {
    const form = { name, expires: "90d", access: "full", ...fields };
    const response = await this.submit("/settings/api", "/settings/api/keys", form);
    const key = /ps_[0-9A-Za-z]{36}/.exec(await response.text())?.[0];
    if (key === undefined)
      throw new Error(`There is no key in the answer, whose status is ${response.status}.`);
    return key;
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

/** The password of everybody. */
export const PASSWORD = "correct horse battery";

/** The hidden fields of the first form of a page that is sent to `action`. */
export function hiddenFields(page: string, action: string): Record<string, string> {
  const form = page.split("<form").find((part) => part.includes(`action="${action}"`));
  if (form === undefined) throw new Error(`No form of the page is sent to ${action}.`);
  const inputs = form.split("</form>")[0]?.match(/<input[^>]*type="hidden"[^>]*>/g) ?? [];
  return Object.fromEntries(
    inputs.map((input) => [
      /name="([^"]*)"/.exec(input)?.[1] ?? "",
      /value="([^"]*)"/.exec(input)?.[1] ?? "",
    ]),
  );
}
