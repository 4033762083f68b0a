import { INVITATION_TTL_DAYS, type Invitation } from "../../access/workspaces/invitations.js";
import type { Member } from "../../access/workspaces/members.js";
import type { Session } from "../../access/accounts/sessions.js";
import type { ListPart } from "../../operations/load/list-parts.js";
import { renderTimeTag } from "../format.js";
import { html, type Html } from "../html.js";
import { renderNextLink, renderPageHead, renderRoleBadge, renderSection } from "./elements.js";
import { type FormResult, renderFormResult, renderNewSecret, renderPostForm } from "./form-elements.js";
import { renderCardPage, renderLayout, type SignedInLayoutData } from "./layout.js";

export interface MembersContent extends FormResult {
  readonly layoutData: SignedInLayoutData;
  readonly members: ListPart<Member>;
  /** Undefined for members who are not owners. */
  readonly invitations: ListPart<Invitation> | undefined;
  /** Id of the invitation that the form creates. */
  readonly newInvitationId: string;
  readonly newLink?: string | undefined;
}

/** Renders the members of a workspace; owners can invite and remove people. */
export function renderMembersPage(content: MembersContent): Html {
  const { layoutData, members, invitations, newInvitationId, newLink } = content;
  const { session } = layoutData;
  const description = html`People in the workspace <strong>${session.workspaceName}</strong>. Owners manage
    members and all keys. Members manage the keys that they create.`;
  const linkTexts = {
    title: "Invitation created",
    instruction: "Send this link to one person. Copy it now: you won't see it again.",
    label: "Invitation link",
  };
  const people = html`<ul class="members">
      ${members.elements.map((member) => renderMemberItem(member, session))}
    </ul>
    ${renderNextLink("More", members.nextCursor)}`;
  return renderLayout(
    "Members",
    html`${renderPageHead("Members", description)} ${renderFormResult(content)}
    ${newLink !== undefined && renderNewSecret("new-link", { ...linkTexts, secret: newLink })}
    ${renderSection("members", "People", people)}
    ${invitations && renderInvitations(invitations, newInvitationId, session.csrfToken)}`,
    { layoutData, currentPath: "/settings/members" },
  );
}

/** Renders the page that asks a signed-in person to confirm joining a workspace. */
export function renderJoinPage(
  layoutData: SignedInLayoutData,
  { workspaceName, role }: Invitation,
  token: string,
): Html {
  const { csrfToken, email } = layoutData.session;
  const button = html`<button class="wide">Join the workspace</button>`;
  return renderCardPage(
    `Join ${workspaceName}`,
    html`<p>
        You are invited to the workspace <strong>${workspaceName}</strong> as ${role}. You are signed in as
        ${email}.
      </p>
      ${renderPostForm(`/join/${token}`, csrfToken, button)}`,
    { layoutData },
  );
}

function renderMemberItem(member: Member, session: Session): Html {
  const isYou = member.id === session.accountId;
  const removal = html`<p class="small">They lose access to this workspace at once.</p>
    <label class="small"
      ><input type="checkbox" name="revoke-keys" value="yes" checked /> Revoke the keys that they
      created</label
    >
    <button class="danger slim">Remove member</button>`;
  return html`<li>
    <div>
      <strong>${member.name}</strong> ${isYou && html`<span class="muted">(you)</span>`}
      <div class="muted small">${member.email} · since ${renderTimeTag(member.createdTime)}</div>
    </div>
    ${renderRoleBadge(member.role)}
    ${
      session.role === "owner" &&
      !isYou &&
      html`<details>
        <summary>Remove<span class="visually-hidden"> ${member.name}</span></summary>
        ${renderPostForm(`/settings/members/${member.id}/remove`, session.csrfToken, removal)}
      </details>`
    }
  </li>`;
}

function renderInvitations(
  { elements: invitations, nextCursor }: ListPart<Invitation>,
  newInvitationId: string,
  csrfToken: string,
): Html {
  const fields = html`<input type="hidden" name="id" value="${newInvitationId}" />
    <label class="visually-hidden" for="role">Role</label>
    <select id="role" name="role">
      <option value="member">as member</option>
      <option value="owner">as owner</option>
    </select>
    <button>Create a link</button>`;
  return renderSection(
    "invite",
    "Invite a person",
    html`${renderPostForm("/settings/members/invite", csrfToken, fields, "copy")}
    ${
      invitations.length > 0 &&
      html`<h3>Open invitations</h3>
        <ul class="members">
          ${invitations.map((invitation) => renderInvitationItem(invitation, csrfToken))}
        </ul>`
    }
    ${renderNextLink("More invitations", nextCursor, {}, "invitations")}`,
    html`<span class="muted small"
      >A link is for one person and expires after ${INVITATION_TTL_DAYS} days.</span
    >`,
  );
}

function renderInvitationItem({ id, role, createdTime, expiresTime }: Invitation, csrfToken: string): Html {
  const button = html`<button class="quiet slim">
    Withdraw<span class="visually-hidden"> the invitation created ${renderTimeTag(createdTime, true)}</span>
  </button>`;
  return html`<li>
    <div>As ${role}, created ${renderTimeTag(createdTime, true)}, expires ${renderTimeTag(expiresTime)}</div>
    ${renderPostForm(`/settings/members/invitations/${id}/withdraw`, csrfToken, button)}
  </li>`;
}
