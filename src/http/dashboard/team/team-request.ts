import { isRole, ROLES, type Role } from '../../../domain/access/people/role';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { DashboardRequest } from '../dashboard-route';

export function readUserId(req: DashboardRequest): string {
  return req.params['userId'] ?? '';
}

/** @throws ValidationError */
export function parseRole(text: string): Role {
  if (!isRole(text)) throw ValidationError.of('role', `must be one of ${ROLES.join(', ')}`);
  return text;
}
