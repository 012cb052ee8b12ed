import { RegistrySandbox } from '../../../src/application/ports/registry/registry-sandbox';
import type { TestService } from '../service/service';

/** The sandbox of a service in this process. */
export function sandboxOf({ container }: TestService): RegistrySandbox {
  return container.get<RegistrySandbox>(RegistrySandbox);
}
