import type { Issue } from '../../shared/issue';
import { ValidationError } from '../../shared/validation-error';

/**
 * Why a template cannot be read or applied: the template is invalid (`INVALID_TEMPLATE`), has what this service does not support
 * (`NOT_SUPPORTED`), needs a host or a variable that the request does not have, or the request has one that the template does not use,
 * a value or a resulting record is invalid (`INVALID_VALUE`, `INVALID_RECORD`), or records cannot stand together (`CONFLICT`).
 */
export type TemplateProblem =
  | 'INVALID_TEMPLATE'
  | 'NOT_SUPPORTED'
  | 'HOST_REQUIRED'
  | 'MISSING_VARIABLE'
  | 'UNKNOWN_VARIABLE'
  | 'INVALID_VALUE'
  | 'INVALID_RECORD'
  | 'CONFLICT';

/** The paths of the issues name the part: `records[2].pointsTo`, `variables.ip`, `host`. */
export class TemplateRejected extends ValidationError {
  constructor(
    readonly problem: TemplateProblem,
    issues: readonly Issue[],
  ) {
    super(issues);
  }

  static at(problem: TemplateProblem, path: string, message: string): TemplateRejected {
    return new TemplateRejected(problem, [{ path, message }]);
  }
}
