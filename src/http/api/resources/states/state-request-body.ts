import type { Request, Response } from 'express';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { accountOf } from '../../../shared/unread-responses';
import { UnsupportedMediaType } from '../../../shared/errors';
import { hasBody, JsonBody, TextBody, ZONE_FILE_BODY, type BodyReader } from '../../request-body';
import { YamlTexts } from './yaml-text';

const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'] as const;
const ZONE_FILE_TYPES = ['text/dns', 'text/plain'];

const MAX_VALUES = 110_000;
const JSON_STATE: BodyReader = new JsonBody('4mb', false, MAX_VALUES);
/** As large as one, so that many take no longer. */
export const STATES_JSON_BODY: BodyReader = new JsonBody('4mb', false, MAX_VALUES);
const YAML_TEXTS = new YamlTexts();
const YAML_STATE: BodyReader = new TextBody(YAML_TYPES, '4mb');

/** A desired state in JSON or YAML (RFC 9512) as its value; a zone file (RFC 4027) as text. */
export const STATE_BODY: BodyReader = {
  async read(req: Request, res: Response, count): Promise<unknown> {
    if (req.is(ZONE_FILE_TYPES)) return ZONE_FILE_BODY.read(req, res, count);
    if (hasBody(req) && !req.is(['application/json', ...YAML_TYPES]))
      throw new UnsupportedMediaType('application/json, application/yaml or text/dns');
    if (!req.is([...YAML_TYPES])) return JSON_STATE.read(req, res, count);
    const value = await YAML_TEXTS.parse(String(await YAML_STATE.read(req, res, count)), accountOf(res));
    if (typeof value !== 'object') throw ValidationError.of('', 'The body must be an object');
    return value;
  },
};
