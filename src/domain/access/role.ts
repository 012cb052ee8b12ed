export const ROLES = ['owner', 'member'] as const;
/** Only owners manage keys and users; members may do everything else. */
export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}
