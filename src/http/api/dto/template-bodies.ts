import { IsObject, IsString } from 'class-validator';
import type { TemplateValues } from '../../../domain/dns/templates/record-template';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Optional } from './validated';

export class TemplateBody {
  @IsString() name!: string;
  @Optional() @IsString() description?: string;
  @IsString() records!: string;
}

export class ApplyTemplateBody {
  @IsString() template!: string;
  @Optional() @IsObject() values?: Record<string, unknown>;
}

const MAX_VALUES = 100;

/** @throws ValidationError */
export function toTemplateValues(values: Record<string, unknown> = {}): TemplateValues {
  const entries = Object.entries(values);
  if (entries.length > MAX_VALUES) throw ValidationError.of('values', `must have at most ${MAX_VALUES} members`);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string') throw ValidationError.of(`values.${name.slice(0, 40)}`, 'must be a string');
      return [name, value];
    }),
  );
}
