import type { Member } from "../../storage/accounts.js";
import type { Invitation } from "../../storage/invitations.js";
import type { StoredSession } from "../../storage/sessions.js";
import { html, type Html } from "../html.js";
import { layout, type Notice, noticeBox, timeTag, tokenField, type Viewer } from "./layout.js";

/** What the page shows. */
export interface MembersView {
  readonly viewer: Viewer & { readonly session: StoredSession };
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
  readonly notice?: Notice | undefined;
  /** The link of an invitation that was made just now. */
  readonly link?: string | undefined;
}

/** Who is in the workspace; owners invite and remove. */
export function membersPage({ viewer, members, invitations, notice, link }: MembersView): Html {
  const { session } = viewer;
  const owner = session.role === "owner";
  return layout(
    "Members",
    html`<div class="page-head">
        <div>
          <h1>Members</h1>
          <p>
            People in the workspace <strong>${session.workspaceName}</strong>. Owners manage all keys and the
            members; members make keys of their own.
          </p>
        </div>
      </div>
      ${noticeBox(notice)} ${link !== undefined && linkBox(link)}
      <section class="card" aria-labelledby="members-title">
        <div class="card-head"><h2 id="members-title">People</h2></div>
        <ul class="members">
          ${members.map((member) => memberItem(member, session))}
        </ul>
      </section>
      ${owner && invitationsCard(invitations, session.csrfToken)}`,
    { viewer, current: "/settings/members" },
  );
}

/** Asks somebody who is signed in whether to join a workspace. */
export function joinPage(
  viewer: Viewer & { session: StoredSession },
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
          You are signed in as ${viewer.session.email}.
        </p>
        <form method="post" action="/join/${token}">
          ${tokenField(viewer.session.csrfToken)}
          <button class="wide">Join the workspace</button>
        </form>
      </section>
    </div>`,
    { viewer },
  );
}

function memberItem(member: Member, session: StoredSession): Html {
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
          <p class="small">They are signed out of this workspace at once. Their keys work on.</p>
          <button class="danger slim">Remove</button>
        </form>
      </details>`
    }
  </li>`;
}

function invitationsCard(invitations: readonly Invitation[], token: string): Html {
  return html`<section class="card" aria-labelledby="invite-title">
    <div class="card-head">
      <h2 id="invite-title">Invite somebody</h2>
      <span class="muted small">A link is for one person, and works for 7 days.</span>
    </div>
    <form class="copy" method="post" action="/settings/members/invite">
      ${tokenField(token)}
      <label class="visually-hidden" for="role">Role</label>
      <select id="role" name="role">
        <option value="member">as member</option>
        <option value="owner">as owner</option>
      </select>
      <button>Make a link</button>
    </form>
    ${
      invitations.length > 0 &&
      html`<h3>Open invitations</h3>
        <ul class="members">
          ${invitations.map(
            ({ id, role, createdTime, expiresTime }) =>
              html`<li>
                <div>as ${role}, made ${timeTag(createdTime)}, works until ${timeTag(expiresTime)}</div>
                <form method="post" action="/settings/members/invitations/${id}/withdraw">
                  ${tokenField(token)}
                  <button class="quiet slim">
                    Withdraw<span class="visually-hidden">
                      the invitation of ${timeTag(createdTime, true)}</span
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
    <h2 id="new-link-title">The invitation is made</h2>
    <p>Send this link to one person. It is shown this once.</p>
    <div class="copy">
      <label class="visually-hidden" for="new-link">The link</label>
      <input class="mono" id="new-link" value="${link}" readonly autocomplete="off" spellcheck="false" />
      <button type="button" data-copy="new-link" hidden>Copy</button>
    </div>
    <p class="small" id="new-link-status" role="status"></p>
  </section>`;
}
