import type { Stage } from '../../../infra/stage-type.ts';

/** The tokens that an issuer gives a user who signs in; one that it does not issue is empty. */
export interface Grant {
  readonly access: string;
  readonly id: string;
  readonly refresh: string;
}

/** A token issuer of a third party, with the API's settings, its clients, and one user. */
export interface IssuerUnderTest {
  readonly name: string;
  /** Creates the settings, the clients and the user. */
  readonly start: () => Promise<void>;
  /** The setting `tokens` of a stage that uses this issuer. */
  readonly record: () => Stage['tokens'];
  readonly caller: () => { readonly subject: string; readonly groups: readonly string[] };
  readonly signIn: () => Promise<Grant>;
  /** Requests an access token with a refresh token. */
  readonly refresh: (token: string) => Promise<string>;
  /** Other access tokens of the user. */
  readonly allowed: readonly (readonly [name: string, token: () => Promise<string>])[];
  /** Other tokens, with the reason for denial that the authorizer logs. */
  readonly denied: readonly (readonly [name: string, reason: string, token: () => Promise<string>])[];
  readonly rotation?: {
    /** Publishes another key and signs with it. */
    readonly addKey: () => void | Promise<void>;
    /** Removes the first key from the key set. */
    readonly withdrawKey: () => void | Promise<void>;
  };
}
