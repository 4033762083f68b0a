import type { Invitation } from "../../access/invitations.js";
import type { Member } from "../../access/members.js";
import type { Session } from "../../access/sessions.js";
import { html, type Html } from "../html.js";
import { type FormError, formNotice, layout, type PageContext, timeTag, tokenField } from "./layout.js";

/** Content of the page. */
export interface MembersView {
  readonly context: PageContext & { readonly session: Session };
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
  readonly error?: FormError | undefined;
  /** Link of an invitation that was created by this request. */
  readonly link?: string | undefined;
}

/** Renders the members of a workspace; owners can invite and remove people. */
export function membersPage({ context, members, invitations, error, link }: MembersView): Html {
  const { session } = context;
  const owner = session.role === "owner";
  return layout(
    "Members",
    html`<div class="page-head">
        <div>
          <h1>Members</h1>
          <p>
            People in the workspace <strong>${session.workspaceName}</strong>. Owners manage members and all
            keys. Members manage the keys that they create.
          </p>
        </div>
      </div>
      ${formNotice(error)} ${link !== undefined && linkBox(link)}
      <section class="card" aria-labelledby="members-title">
        <div class="card-head"><h2 id="members-title">People</h2></div>
        <ul class="members">
          ${members.map((member) => memberItem(member, session))}
        </ul>
      </section>
      ${owner && invitationsCard(invitations, session.csrfToken)}`,
    { context, current: "/settings/members" },
  );
}

/** Renders the question whether a signed-in person wants to join a workspace. */
export function joinPage(
  context: PageContext & { session: Session },
  invitation: Invitation,
  token: string,
): Html {
  return layout(
    "Join a workspace",
    html`<div class="narrow">
      <section class="card">
        <h1>Join ${invitation.workspaceName}</h1>
        <p>
          You are invited to the workspace <strong>${invitation.workspaceName}</strong> as ${invitation.role}.
          You are signed in as ${context.session.email}.
        </p>
        <form method="post" action="/join/${token}">
          ${tokenField(context.session.csrfToken)}
          <button class="wide">Join the workspace</button>
        </form>
      </section>
    </div>`,
    { context },
  );
}

function memberItem(member: Member, session: Session): Html {
  return html`<li>
    <div>
      <strong>${member.name}</strong>
      <div class="muted small">${member.email} · since ${timeTag(member.createdTime)}</div>
    </div>
    <span class="badge ${member.role === "owner" ? "accent" : ""}">${member.role}</span>
    ${
      session.role === "owner" &&
      member.accountId !== session.accountId &&
      html`<details>
        <summary>Remove<span class="visually-hidden"> ${member.name}</span></summary>
        <form method="post" action="/settings/members/${member.accountId}/remove">
          ${tokenField(session.csrfToken)}
          <p class="small">They lose access to this workspace at once.</p>
          <label class="small"
            ><input type="checkbox" name="revoke-keys" value="yes" checked /> Revoke the keys that they
            created</label
          >
          <button class="danger slim">Remove</button>
        </form>
      </details>`
    }
  </li>`;
}

function invitationsCard(invitations: readonly Invitation[], token: string): Html {
  return html`<section class="card" aria-labelledby="invite-title">
    <div class="card-head">
      <h2 id="invite-title">Invite a person</h2>
      <span class="muted small">A link is for one person and expires after 7 days.</span>
    </div>
    <form class="copy" method="post" action="/settings/members/invite">
      ${tokenField(token)}
      <label class="visually-hidden" for="role">Role</label>
      <select id="role" name="role">
        <option value="member">as member</option>
        <option value="owner">as owner</option>
      </select>
      <button>Create a link</button>
    </form>
    ${
      invitations.length > 0 &&
      html`<h3>Open invitations</h3>
        <ul class="members">
          ${invitations.map(
            ({ id, role, createdTime, expiresTime }) =>
              html`<li>
                <div>as ${role}, created ${timeTag(createdTime)}, expires ${timeTag(expiresTime)}</div>
                <form method="post" action="/settings/members/invitations/${id}/withdraw">
                  ${tokenField(token)}
                  <button class="quiet slim">
                    Withdraw<span class="visually-hidden">
                      the invitation created ${timeTag(createdTime, true)}</span
                    >
                  </button>
                </form>
              </li>`,
          )}
        </ul>`
    }
  </section>`;
}

function linkBox(link: string): Html {
  return html`<section class="notice good" aria-labelledby="new-link-title" role="status">
    <h2 id="new-link-title">Invitation created</h2>
    <p>Send this link to one person. Copy it now: you won't see it again.</p>
    <div class="copy">
      <label class="visually-hidden" for="new-link">Invitation link</label>
      <input class="mono" id="new-link" value="${link}" readonly autocomplete="off" spellcheck="false" />
      <button type="button" data-copy="new-link" hidden>Copy</button>
    </div>
    <p class="small" id="new-link-status" role="status"></p>
  </section>`;
}
