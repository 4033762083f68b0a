import type { Invitation } from "../../access/invitations.js";
import type { Member } from "../../access/members.js";
import type { Session } from "../../access/sessions.js";
import { html, type Html } from "../html.js";
import {
  type FormError,
  renderFormNotice,
  renderLayout,
  type PageContext,
  renderTimeTag,
  renderCsrfField,
} from "./layout.js";

/** Content of the members page. */
export interface MembersContent {
  readonly context: PageContext & { readonly session: Session };
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
  readonly error?: FormError | undefined;
  /** Link of an invitation that was created by this request. */
  readonly link?: string | undefined;
}

/** Renders the members of a workspace; owners can invite and remove people. */
export function renderMembersPage({ context, members, invitations, error, link }: MembersContent): Html {
  const { session } = context;
  const owner = session.role === "owner";
  return renderLayout(
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
      ${renderFormNotice(error)} ${link !== undefined && renderInvitationLink(link)}
      <section class="card" aria-labelledby="members-title">
        <div class="card-head"><h2 id="members-title">People</h2></div>
        <ul class="members">
          ${members.map((member) => renderMemberItem(member, session))}
        </ul>
      </section>
      ${owner && renderInvitations(invitations, session.csrfToken)}`,
    { context, current: "/settings/members" },
  );
}

/** Renders the question whether a signed-in person wants to join a workspace. */
export function renderJoinPage(
  context: PageContext & { session: Session },
  invitation: Invitation,
  token: string,
): Html {
  return renderLayout(
    "Join a workspace",
    html`<div class="narrow">
      <section class="card">
        <h1>Join ${invitation.workspaceName}</h1>
        <p>
          You are invited to the workspace <strong>${invitation.workspaceName}</strong> as ${invitation.role}.
          You are signed in as ${context.session.email}.
        </p>
        <form method="post" action="/join/${token}">
          ${renderCsrfField(context.session.csrfToken)}
          <button class="wide">Join the workspace</button>
        </form>
      </section>
    </div>`,
    { context },
  );
}

function renderMemberItem(member: Member, session: Session): Html {
  return html`<li>
    <div>
      <strong>${member.name}</strong>
      <div class="muted small">${member.email} · since ${renderTimeTag(member.createdTime)}</div>
    </div>
    <span class="badge ${member.role === "owner" ? "accent" : ""}">${member.role}</span>
    ${
      session.role === "owner" &&
      member.accountId !== session.accountId &&
      html`<details>
        <summary>Remove<span class="visually-hidden"> ${member.name}</span></summary>
        <form method="post" action="/settings/members/${member.accountId}/remove">
          ${renderCsrfField(session.csrfToken)}
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

function renderInvitations(invitations: readonly Invitation[], token: string): Html {
  return html`<section class="card" aria-labelledby="invite-title">
    <div class="card-head">
      <h2 id="invite-title">Invite a person</h2>
      <span class="muted small">A link is for one person and expires after 7 days.</span>
    </div>
    <form class="copy" method="post" action="/settings/members/invite">
      ${renderCsrfField(token)}
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
                <div>
                  as ${role}, created ${renderTimeTag(createdTime)}, expires ${renderTimeTag(expiresTime)}
                </div>
                <form method="post" action="/settings/members/invitations/${id}/withdraw">
                  ${renderCsrfField(token)}
                  <button class="quiet slim">
                    Withdraw<span class="visually-hidden">
                      the invitation created ${renderTimeTag(createdTime, true)}</span
                    >
                  </button>
                </form>
              </li>`,
          )}
        </ul>`
    }
  </section>`;
}

function renderInvitationLink(link: string): Html {
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
