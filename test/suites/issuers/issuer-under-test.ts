import type { Stage } from '../../../infra/stage-type.ts';

/** The tokens that an issuer gives a user who signs in. A token that the issuer does not issue is empty. */
export interface Grant {
  readonly access: string;
  readonly id: string;
  readonly refresh: string;
}

/** A third-party token issuer with settings for the API, with clients, and with one user. */
export interface IssuerUnderTest {
  readonly name: string;
  /** Creates the settings, the clients and the user at the issuer. */
  readonly start: () => Promise<void>;
  /** The setting `tokens` of a stage that uses this issuer. */
  readonly tokens: () => Stage['tokens'];
  /** The user in the authorizer's decision. */
  readonly caller: () => { readonly subject: string; readonly groups: readonly string[] };
  readonly signIn: () => Promise<Grant>;
  /** Requests an access token with a refresh token. */
  readonly refresh: (token: string) => Promise<string>;
  /** Further access tokens that the stage allows. */
  readonly allowed: readonly (readonly [name: string, token: () => Promise<string>])[];
  /** Tokens that the stage denies, with the reason that the authorizer logs. */
  readonly denied: readonly (readonly [name: string, reason: string, token: () => Promise<string>])[];
  /** Key rotation, if the tests can control it. */
  readonly rotation?: {
    /** Publishes a second key, with which the issuer signs from now on. */
    readonly addKey: () => void | Promise<void>;
    /** Removes the first key from the key set. */
    readonly withdrawKey: () => void | Promise<void>;
  };
}
