import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Request, RequestHandler, Response } from 'express';
import { ValidationError } from '../../../domain/shared/validation-error';
import { FormExpired, PayloadTooLarge, UnsupportedMediaType } from '../../shared/errors';
import { refuseEncoded } from './form-body';
import { TOKEN_FIELD, type FormTokens } from './form-tokens';

const MEDIA_TYPE = 'multipart/form-data';
/** The field whose value may be large. */
export const UPLOAD_FIELD = 'text';
/** Of `UPLOAD_FIELD`, as for `PUT …/dns/zonefile`. */
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

/** `UPLOAD_FIELD` of a form as it arrived, in pieces: one long string would be copied and decoded as a whole. */
export type Upload = readonly Buffer[];

/** The upload of this request; empty if the form had none. */
export function uploadOf({ locals }: Pick<Response, 'locals'>): Upload {
  return (locals as { readonly upload?: Upload }).upload ?? [];
}

/**
 * Reads a multipart form with one large field. Its size is checked before and while it is read, and its CSRF token, which
 * forms have in front, before the large field.
 * @throws PayloadTooLarge, UnsupportedMediaType, FormExpired, ValidationError
 */
export function uploadBody(tokens: FormTokens): readonly RequestHandler[] {
  const read: RequestHandler = async (req, res, next) => {
    await readUpload(req, res, tokens);
    next();
  };
  return [refuseEncoded, read];
}

async function readUpload(req: Request, res: Response, tokens: FormTokens): Promise<void> {
  if (!req.is(MEDIA_TYPE)) throw new UnsupportedMediaType(MEDIA_TYPE);
  if (Number(req.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES + MAX_OVERHEAD_BYTES) throw new PayloadTooLarge();
  const parser = parserOf(req);
  const fields: Record<string, string> = {};
  const pieces: Buffer[] = [];
  let isChecked = false;
  const check = () => {
    req.body = fields;
    if (!isChecked) void tokens.check(req, res, throwOn);
    isChecked = true; // not reached if the check throws
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const guarded =
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
        guarded((name, value, nameCut, valueCut) => {
          if (nameCut || valueCut) throw new PayloadTooLarge();
          if (name !== TOKEN_FIELD) check();
          fields[name] = value;
        }),
      );
      parser.on(
        'file',
        guarded((_name, stream) => {
          stream.on('error', reject);
          check();
          stream.on('limit', () => reject(new PayloadTooLarge()));
          stream.on('data', (piece: Buffer) => pieces.push(piece));
        }),
      );
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
        parser.on(limit, () => reject(new PayloadTooLarge()));
      parser.on('error', (error) => reject(malformed(error)));
      parser.on(
        'finish',
        guarded(() => {
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
  res.locals['upload'] = pieces;
}

/** @throws ValidationError for a form without a boundary */
function parserOf(req: Request): BusboyInstance {
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

function throwOn(error?: unknown): void {
  if (error !== undefined) throw asError(error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new FormExpired();
}
