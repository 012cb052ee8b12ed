export const ROLES = ['owner', 'member'] as const;
/** Owners also manage keys and people; everything else members may do as well. */
export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}
