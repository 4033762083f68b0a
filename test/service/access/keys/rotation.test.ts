import { expect, test } from "vitest";
import { createSetupToken } from "../../../../src/access/workspaces/invitations.js";
import { createKeyAsMember, rotateKeyAsMember } from "../../../../src/access/keys/member-keys.js";
import { createKeyAsOperator, rotateKeyAsOperator } from "../../../../src/access/keys/operator-keys.js";
import { continueSession } from "../../../../src/access/accounts/sessions.js";
import { signUp } from "../../../../src/access/accounts/sign-up.js";
import { newId } from "../../../../src/domain/ids.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";
import { sharedStores } from "../../../support/stores.js";

test.for(sharedStores)(
  "a key that two commands and the web page rotate concurrently has one successor: 100 of 100, on %s",
  async ([, newLocation]) => {
    const location = await newLocation();
    // Each process has its own store.
    const [command, web] = [await openStore(location), await openStore(location)];
    try {
      await createKeyAsOperator(command, { workspaceName: "Acme" });
      const invitationToken = await createSetupToken(web);
      const form = {
        name: "Ada",
        email: "ada@example.org",
        password: "correct horse battery",
        invitationToken,
      };
      const signedIn = await signUp(web, form, {
        registration: "invite",
        clientKey: "",
        checkRateLimit: async () => {},
      });
      const session = await continueSession(web, signedIn?.sessionToken ?? "");
      if (session === undefined) throw new Error("The account has no session.");
      let correct = 0;
      for (let round = 0; round < 100; round += 1) {
        const options = { id: newId(), name: `Key ${round}`, access: "full", expiresTime: null } as const;
        await createKeyAsMember(web, session, options);
        const results = await Promise.allSettled([
          rotateKeyAsOperator(command, options.id, 3_600_000),
          rotateKeyAsOperator(command, options.id, 3_600_000),
          rotateKeyAsMember(web, session, options.id, 3_600_000),
        ]);
        const keys = await web.read
          .selectFrom("api_keys")
          .select("id")
          .where("name", "=", options.name)
          .execute();
        const succeeded = results.filter(({ status }) => status === "fulfilled").length;
        if (succeeded === 1 && keys.length === 2) correct += 1;
      }
      expect(correct).toBe(100);
    } finally {
      await command.close();
      await web.close();
    }
  },
);
