import type { IdentityProvider } from '../../../application/ports/access/authentication';
import { identityId, isIssuedBy, type Identity } from '../../../domain/access/people/identity';
import { Card, Cell, Confirm, DateTime, Empty, PageHeading, Row, Table } from '../layout/components';
import { PostForm } from '../layout/forms/forms';
import { usePage } from '../layout/page-context';

interface ProvidersPageProps {
  readonly providers: readonly IdentityProvider[];
  readonly identities: readonly Identity[];
}

export function ProvidersPage({ providers, identities }: ProvidersPageProps) {
  const { userSession } = usePage();
  const nameOf = (identity: Identity) => providers.find((each) => isIssuedBy(identity, each))?.name ?? identity.issuer;
  return (
    <>
      <PageHeading title="Sign-in providers" lead={userSession?.user.email} />
      <Card title="Linked" class="flush">
        {identities.length === 0 ? (
          <Empty title="No provider is linked" />
        ) : (
          <Table
            caption="Linked providers"
            columns={['Provider', 'Account', 'Last used', <span class="visually-hidden">Actions</span>]}
          >
            {identities.map((identity) => (
              <Row key={identityId(identity)}>
                <Cell class="main-cell">{nameOf(identity)}</Cell>
                <Cell label="Account">{identity.name}</Cell>
                <Cell label="Last used">{identity.lastUsedAt ? <DateTime at={identity.lastUsedAt} /> : 'never'}</Cell>
                <Cell class="row-actions">
                  <Confirm
                    label="Unlink"
                    about={identity.name}
                    action="/settings/providers/unlink"
                    button="Unlink this provider"
                    question={`You can no longer sign in with ${identity.name}.`}
                    fields={{ id: identityId(identity) }}
                  />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Card>
      <Card title="Link a provider" class="narrow">
        <p>You sign in there once, and can then use it to sign in here.</p>
        {providers.map(({ id, name, groups }) => (
          <PostForm key={id} action={`/settings/providers/${id}/link`}>
            {groups?.account === userSession?.accountId && (
              <p>Your groups at {name} set your role in this account at each sign-in.</p>
            )}
            <button type="submit">Link {name}</button>
          </PostForm>
        ))}
      </Card>
    </>
  );
}
