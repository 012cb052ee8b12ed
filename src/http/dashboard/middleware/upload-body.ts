import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Request, RequestHandler, Response } from 'express';
import { ValidationError } from '../../../domain/shared/validation-error';
import { FormExpired, PayloadTooLarge, UnsupportedMediaType } from '../../shared/errors';
import { refuseEncoded } from '../../shared/refuse-encoded';
import { TOKEN_FIELD, type FormTokens } from './form-tokens';

const MEDIA_TYPE = 'multipart/form-data';
/** The field that may be large. */
const UPLOAD_FIELD = 'text';
/** The field with files, which may be several. */
export const FILES_FIELD = 'files';
const MAX_UPLOADED_FILES = 200;
/** Size limit of `UPLOAD_FIELD`, the same as for `PUT …/dns/zonefile`. */
export const MAX_UPLOAD_BYTES = 8 * 1_048_576;
/** Each file has a head. */
const MAX_OVERHEAD_BYTES = 131_072;
const LIMITS = {
  fieldNameSize: 64,
  fieldSize: 4_096,
  fields: 8,
  files: MAX_UPLOADED_FILES,
  fileSize: MAX_UPLOAD_BYTES,
  parts: MAX_UPLOADED_FILES + 8,
  headerPairs: 16,
  headerSize: 4_096,
};

/** The chunks of `UPLOAD_FIELD` as they arrived: one long string would be copied and decoded at once. */
type Upload = readonly Buffer[];

/** The upload of this request; empty if the form had none. */
export function getUpload({ locals }: Pick<Response, 'locals'>): Upload {
  return (locals as { readonly upload?: Upload }).upload ?? [];
}

interface UploadedFile {
  readonly fileName: string;
  readonly chunks: readonly Buffer[];
}

/** The files of this request. */
export function getUploadedFiles({ locals }: Pick<Response, 'locals'>): readonly UploadedFile[] {
  return (locals as { readonly uploadedFiles?: readonly UploadedFile[] }).uploadedFiles ?? [];
}

/**
 * Parses a multipart form with one large field, or with files, all of the same size together. The size is checked before and while reading. The CSRF token comes first in
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
  const files: { fileName: string; chunks: Buffer[] }[] = [];
  let [received, texts] = [0, 0];
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
        rejectOnThrow((name, stream, fileName) => {
          stream.on('error', reject);
          check();
          if (name === UPLOAD_FIELD && (texts += 1) > 1) throw new PayloadTooLarge();
          const into = name === UPLOAD_FIELD ? chunks : [];
          if (into !== chunks && fileName) files.push({ fileName, chunks: into });
          stream.on('limit', () => reject(new PayloadTooLarge()));
          stream.on('data', (chunk: Buffer) => {
            received += chunk.length;
            if (received > MAX_UPLOAD_BYTES) reject(new PayloadTooLarge());
            else into.push(chunk);
          });
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
  res.locals['uploadedFiles'] = files;
}

/** @throws ValidationError for a form without a boundary */
function createParser(req: Request): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...req.headers, 'content-type': req.headers['content-type'] ?? '' },
      limits: LIMITS,
      isPartAFile: (name) => name === UPLOAD_FIELD || name === FILES_FIELD,
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
