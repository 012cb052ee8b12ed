import { PostForm } from '../layout/forms';

export interface SwitchProps {
  readonly on: boolean;
  readonly action: string;
  readonly label: string;
  /** What it means as it stands. */
  readonly words: string;
}

/** Sends the other state when it is pressed. */
export function Switch({ on, action, label, words }: SwitchProps) {
  return (
    <PostForm action={action} class="switch-form inline-form">
      <input type="hidden" name="on" value={on ? 'no' : 'yes'} />
      <button class="switch" type="submit" role="switch" aria-checked={on ? 'true' : 'false'}>
        <span class="track" aria-hidden="true" />
        <span>
          {label} <span class="state">{on ? 'on' : 'off'}</span>
        </span>
      </button>
      <p class="small">{words}</p>
    </PostForm>
  );
}
