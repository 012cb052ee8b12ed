import type { KeyAction } from '../../../../domain/access/key-limits';
import { PostForm } from './forms';
import { useMayDo } from '../may-do';

interface ToggleSwitchProps {
  readonly on: boolean;
  readonly action: string;
  readonly label: string;
  /** Without it, the role of the user sees the state only. Any role may switch if absent. */
  readonly needs?: KeyAction;
  /** The meaning of the current state. */
  readonly description: string;
}

/** A switch that submits the opposite state. */
export function ToggleSwitch({ on, action, label, needs = 'read', description }: ToggleSwitchProps) {
  if (!useMayDo(needs))
    return (
      <>
        <p>
          {label} is <strong>{on ? 'on' : 'off'}</strong>.
        </p>
        <p class="small">{description}</p>
      </>
    );
  return (
    <PostForm action={action} class="toggle-form inline-form">
      <input type="hidden" name="on" value={on ? 'no' : 'yes'} />
      <button class="toggle-switch" type="submit" role="switch" aria-checked={on ? 'true' : 'false'}>
        <span class="track" aria-hidden="true" />
        <span>
          {label} <span class="state">{on ? 'on' : 'off'}</span>
        </span>
      </button>
      <p class="small">{description}</p>
    </PostForm>
  );
}
