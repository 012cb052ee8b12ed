import type { SavedContact } from '../../../application/portfolio/saved-contacts';
import { registrantName, type Registrant } from '../../../domain/registration/registrant';
import type { DashboardRequest } from '../dashboard-route';
import { readField } from '../form-fields';
import type { FormValues } from '../layout/forms/forms';
import { toRegistrantValues } from './registrant-fields';

export const CONTACT_FIELD = 'contact';

export interface ContactChoice {
  readonly contacts: readonly SavedContact[];
  /** The contact in the form; undefined if the account has none. */
  readonly chosen: SavedContact | undefined;
}

/** The contact that the form field `contact` names, or the newest. */
export function readContact(req: DashboardRequest, contacts: readonly SavedContact[]): ContactChoice {
  const wanted = readField(req, CONTACT_FIELD);
  return { contacts, chosen: contacts.find(({ domainId }) => domainId === wanted) ?? contacts[0] };
}

/** Whether the form was sent to fill in a contact. */
export function isFillingIn(req: DashboardRequest): boolean {
  return readField(req, CONTACT_FIELD) !== '';
}

export function contactValues({ chosen }: ContactChoice): FormValues {
  return chosen ? toRegistrantValues(chosen.registrant) : {};
}

/**
 * Fills another registrant of the account's domains into the form that it is in, and keeps the rest. Shows nothing if the account
 * has only one.
 */
export function ContactPicker({
  action,
  choice: { contacts, chosen } = { contacts: [], chosen: undefined },
}: {
  /** Shows the form again with what was entered. */
  readonly action: string;
  readonly choice: ContactChoice | undefined;
}) {
  if (contacts.length < 2) return null;
  return (
    <>
      {/* Enter in a field presses the first button of a form, which would be "Fill in". */}
      <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true" />
      <div class="filter compact">
        <div class="field grow">
          <label for={CONTACT_FIELD}>Saved contacts: registrants of your newest domains</label>
          <select id={CONTACT_FIELD} name={CONTACT_FIELD}>
            {contacts.map(({ domainId, registrant }) => (
              <option key={domainId} value={domainId} selected={domainId === chosen?.domainId}>
                {describeContact(registrant)}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" formAction={action} formNoValidate>
          Fill in
        </button>
      </div>
    </>
  );
}

export function describeContact(contact: Registrant): string {
  const { organization, email, address } = contact;
  return [registrantName(contact), organization, email, address.city].filter(Boolean).join(', ');
}
