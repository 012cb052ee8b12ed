import type { DomainGrant } from '../../../application/portfolio/invite-for-domains';
import { ROLE_LABELS, type Role } from '../../../domain/access/people/role';
import { displayName } from '../layout/domain/domain-labels';
import { FormActions } from '../layout/forms/form-actions';
import { PostForm } from '../layout/forms/forms';
import { Card, PageHeading } from '../layout/components';
import { ROLE_DESCRIPTIONS } from './role-choices';

interface ReviewInvitationPageProps {
  readonly email: string;
  readonly role: Role;
  readonly grant: DomainGrant;
}

/** What an invitation for some domains grants, before it is sent. */
export function ReviewInvitationPage({ email, role, grant: { domains, tag } }: ReviewInvitationPageProps) {
  const names = domains.map(({ name }) => displayName(name));
  const count = names.length === 1 ? '1 domain' : `${names.length} domains`;
  return (
    <>
      <PageHeading title={`Invite ${email} for ${count}?`} lead={names.join(', ')} />
      <Card title={ROLE_LABELS[role]} class="narrow">
        <p>{ROLE_DESCRIPTIONS[role]}</p>
        <ul>
          <li>
            Only for {names.join(' and ')}: {email} sees no other domain.
          </li>
          <li>{email} cannot register, transfer or delete domains, or change tags.</li>
          <li>
            {names.length === 1 ? 'The domain gets' : 'The domains get'} the tag <code>{tag}</code>, to which the role
            is limited. Give the tag to another domain to add it, and take it away to remove one.
          </li>
        </ul>
        <PostForm action="/team">
          <input type="hidden" name="email" value={email} />
          <input type="hidden" name="role" value={role} />
          <input type="hidden" name="domains" value={names.join(' ')} />
          <input type="hidden" name="tag" value={tag} />
          <FormActions submit={`Invite for ${count}`} cancel="/team" />
        </PostForm>
      </Card>
    </>
  );
}
