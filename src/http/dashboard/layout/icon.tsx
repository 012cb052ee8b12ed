import { assetUrl } from '../assets';

/** Those of public/icons.svg. */
export const ICONS = [
  'activity',
  'arrow-left-right',
  'bell',
  'box',
  'coins',
  'columns-3',
  'download',
  'file-stack',
  'file-text',
  'flask-conical',
  'git-pull-request',
  'globe',
  'key-round',
  'layout-dashboard',
  'link',
  'list-checks',
  'list-filter',
  'log-out',
  'mail',
  'map-pin',
  'menu',
  'network',
  'pencil',
  'plug',
  'plus',
  'search',
  'server',
  'settings',
  'shield',
  'trash-2',
  'users',
  'webhook',
] as const;
export type IconName = (typeof ICONS)[number];

/** A picture beside a text, or in a control with a name: screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" width="16" height="16" aria-hidden="true">
      <use href={`${assetUrl('icons.svg')}#${name}`} />
    </svg>
  );
}
