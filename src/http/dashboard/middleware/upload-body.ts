import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Request, RequestHandler, Response } from 'express';
import { ValidationError } from '../../../domain/shared/validation-error';
import { FormExpired, PayloadTooLarge, UnsupportedMediaType } from '../../shared/errors';
import { refuseEncoded } from './form-body';
import { TOKEN_FIELD, type FormTokens } from './form-tokens';

const MEDIA_TYPE = 'multipart/form-data';
/** The field that may be large. */
const UPLOAD_FIELD = 'text';
/** Size limit of `UPLOAD_FIELD`, the same as for `PUT …/dns/zonefile`. */
export const MAX_UPLOAD_BYTES = 8 * 1_048_576;
const MAX_OVERHEAD_BYTES = 16_384;
const LIMITS = {
  fieldNameSize: 64,
  fieldSize: 4_096,
  fields: 8,
  files: 1,
  fileSize: MAX_UPLOAD_BYTES,
  parts: 9,
  headerPairs: 16,
  headerSize: 4_096,
};

/** The chunks of `UPLOAD_FIELD` as they arrived: one long string would be copied and decoded at once. */
type Upload = readonly Buffer[];

/** The upload of this request; empty if the form had none. */
export function getUpload({ locals }: Pick<Response, 'locals'>): Upload {
  return (locals as { readonly upload?: Upload }).upload ?? [];
}

/**
 * Parses a multipart form with one large field. The size is checked before and while reading. The CSRF token comes first in
 * the form and is checked before the large field is read.
 * @throws PayloadTooLarge, UnsupportedMediaType, FormExpired, ValidationError
 */
export function uploadBody(tokens: FormTokens): readonly RequestHandler[] {
  return [
    refuseEncoded,
    async (req, res, next) => {
      await readUpload(req, res, tokens);
      next();
    },
  ];
}

async function readUpload(req: Request, res: Response, tokens: FormTokens): Promise<void> {
  if (!req.is(MEDIA_TYPE)) throw new UnsupportedMediaType(MEDIA_TYPE);
  if (Number(req.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES + MAX_OVERHEAD_BYTES) throw new PayloadTooLarge();
  const parser = createParser(req);
  const fields: Record<string, string> = {};
  const chunks: Buffer[] = [];
  let isChecked = false;
  const check = () => {
    req.body = fields;
    if (!isChecked) void tokens.check(req, res, throwIfError);
    isChecked = true; // not reached if the check throws
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const rejectOnThrow =
        <A extends unknown[]>(step: (...args: A) => void) =>
        (...args: A): void => {
          try {
            step(...args);
          } catch (error) {
            reject(asError(error));
          }
        };
      parser.on(
        'field',
        rejectOnThrow((name, value, nameCut, valueCut) => {
          if (nameCut || valueCut) throw new PayloadTooLarge();
          if (name !== TOKEN_FIELD) check();
          fields[name] = value;
        }),
      );
      parser.on(
        'file',
        rejectOnThrow((_name, stream) => {
          stream.on('error', reject);
          check();
          stream.on('limit', () => reject(new PayloadTooLarge()));
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        }),
      );
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
        parser.on(limit, () => reject(new PayloadTooLarge()));
      parser.on('error', (error) => reject(malformed(error)));
      parser.on(
        'finish',
        rejectOnThrow(() => {
          check();
          resolve();
        }),
      );
      req.once('close', () => {
        if (!req.complete) reject(malformed(undefined));
      });
      req.pipe(parser);
    });
  } finally {
    req.unpipe(parser);
    req.resume();
  }
  res.locals['upload'] = chunks;
}

/** @throws ValidationError for a form without a boundary */
function createParser(req: Request): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...req.headers, 'content-type': req.headers['content-type'] ?? '' },
      limits: LIMITS,
      isPartAFile: (name) => name === UPLOAD_FIELD,
    });
  } catch (error) {
    throw malformed(error);
  }
}

function malformed(cause: unknown): ValidationError {
  return new ValidationError([{ path: '', message: 'The form is malformed' }], { cause });
}

function throwIfError(error?: unknown): void {
  if (error !== undefined) throw asError(error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new FormExpired();
}
