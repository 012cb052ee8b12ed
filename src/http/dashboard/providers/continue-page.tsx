interface ContinuePageProps {
  /** Of the provider. */
  readonly name: string;
  readonly url: string;
  readonly cancel: string;
}

export function ContinuePage({ name, url, cancel }: ContinuePageProps) {
  return (
    <section class="card narrow">
      <h1>Continue to {name}</h1>
      <p>{name} asks you to sign in there and sends you back here.</p>
      <p class="actions">
        <a class="button primary" href={url}>
          Continue to {name}
        </a>
        <a class="button" href={cancel}>
          Cancel
        </a>
      </p>
    </section>
  );
}
