import { toAsciiName } from '../../../../domain/shared/idna';
import { ValidationError } from '../../../../domain/shared/validation-error';
import type { DashboardRequest } from '../../dashboard-route';
import { displayName } from '../../layout/domain/domain-labels';
import { readField } from '../../form-fields';
import { Field } from '../../layout/forms/form-controls';

const FIELD = 'confirm_name';
const MAX_LENGTH = 253;

/** A field for the name of the domain, so that a step in the danger zone is not taken by accident. */
export function TypedNameField({ name }: { readonly name: string }) {
  return (
    <Field
      name={FIELD}
      label={`Type ${displayName(name)} to confirm`}
      required
      autocomplete="off"
      maxLength={MAX_LENGTH}
    />
  );
}

/** Accepts the name in any case, in Unicode or in ASCII. @throws ValidationError */
export function assertTypedName(req: DashboardRequest, name: string): void {
  const typed = readField(req, FIELD).trim().slice(0, MAX_LENGTH);
  if (typed.toLowerCase() !== name && toAsciiName(typed) !== name)
    throw ValidationError.of(FIELD, `must be ${displayName(name)}`);
}
