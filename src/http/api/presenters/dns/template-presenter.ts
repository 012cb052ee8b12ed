import {
  toRecordTemplate,
  type AccountTemplate,
  type RecordTemplate,
} from '../../../../domain/dns/templates/record-template';

export function recordTemplate({ id, name, description, source, variables, records }: RecordTemplate): object {
  return {
    id,
    name,
    description,
    built_in: source !== null,
    source,
    variables: variables.map(({ name: variable, label, hint, isOptional = false }) => ({
      name: variable,
      label,
      hint: hint ?? null,
      required: !isOptional,
    })),
    records,
  };
}

export function accountTemplate(template: AccountTemplate): object {
  return recordTemplate(toRecordTemplate(template));
}
