import type { SavedContact } from '../../../application/portfolio/saved-contacts';
import type { Registrant } from '../../../domain/registration/registrant';
import type { DashboardRequest } from '../dashboard-route';
import { readParameter } from '../form-fields';
import { Card } from '../layout/components';
import type { FormValues } from '../layout/forms';
import { toRegistrantValues } from './registrant-fields';

export interface ContactChoice {
  readonly contacts: readonly SavedContact[];
  /** The contact in the form; undefined if the account has none. */
  readonly chosen: SavedContact | undefined;
}

/** The contact that the query parameter `contact` names, or the newest. */
export function readContact(req: DashboardRequest, contacts: readonly SavedContact[]): ContactChoice {
  const wanted = readParameter(req, 'contact');
  return { contacts, chosen: contacts.find(({ domainId }) => domainId === wanted) ?? contacts[0] };
}

export function contactValues({ chosen }: ContactChoice): FormValues {
  return chosen ? toRegistrantValues(chosen.registrant) : {};
}

/** Fills another registrant of the account's domains into the form that follows. Shows nothing if the account has only one. */
export function ContactPicker({
  action,
  names,
  choice: { contacts, chosen } = { contacts: [], chosen: undefined },
}: {
  /** The page of the form, with the names to order. */
  readonly action: string;
  readonly names: readonly string[];
  readonly choice: ContactChoice | undefined;
}) {
  if (contacts.length < 2) return null;
  return (
    <Card title="Saved contacts">
      <form class="filter compact" action={action}>
        {names.map((name) => (
          <input key={name} type="hidden" name="name" value={name} />
        ))}
        <div class="field grow">
          <label for="contact">Registrant of your domains</label>
          <select id="contact" name="contact">
            {contacts.map(({ domainId, registrant }) => (
              <option key={domainId} value={domainId} selected={domainId === chosen?.domainId}>
                {describeContact(registrant)}
              </option>
            ))}
          </select>
        </div>
        <button type="submit">Fill in</button>
      </form>
      <p class="small">From your newest domains. It replaces what you have entered below.</p>
    </Card>
  );
}

function describeContact({ firstName, lastName, organization, email, address }: Registrant): string {
  return [`${firstName} ${lastName}`, organization, email, address.city].filter(Boolean).join(', ');
}
