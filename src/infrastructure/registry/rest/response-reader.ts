import { Ajv, type ValidateFunction } from 'ajv';
import { RegistryUnavailable } from '../../../application/ports/registry/registry-errors';

/** Vendors send integers as strings, and the reverse: converted. Properties that the schema does not name are kept. */
const ajv = new Ajv({ coerceTypes: true, strict: false });

/** Returns the body as `T`. @throws RegistryUnavailable, because an invalid response to a command leaves its outcome unknown */
export type ResponseReader<T> = (body: unknown) => T;

/**
 * A function that reads a response leniently: `schema` lists only what the adapter needs. Coerces the values in
 * place.
 */
export function responseReader<T>(vendor: string, schema: object): ResponseReader<T> {
  let validate: ValidateFunction<T> | undefined;
  return (body) => {
    validate ??= ajv.compile<T>(schema);
    if (validate(body)) return body;
    const [issue] = validate.errors ?? [];
    throw new RegistryUnavailable(
      `${vendor} sent an unexpected response: ${issue?.instancePath || 'body'} ${issue?.message ?? 'is invalid'}`,
    );
  };
}
