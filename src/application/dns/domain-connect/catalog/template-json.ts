import { ValidationError } from '../../../../domain/shared/validation-error';

/** @throws ValidationError */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    throw ValidationError.of('', 'is not JSON');
  }
}
