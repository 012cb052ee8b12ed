import { PostForm } from '../layout/forms';

export interface ToggleSwitchProps {
  readonly on: boolean;
  readonly action: string;
  readonly label: string;
  /** The meaning of the current state. */
  readonly description: string;
}

/** A switch that submits the opposite state. */
export function ToggleSwitch({ on, action, label, description }: ToggleSwitchProps) {
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
