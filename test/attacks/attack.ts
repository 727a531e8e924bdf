import type { DenialReason } from '../../functions/authorizer/denial.ts';
import type { Issuer, TokenChanges } from '../support/issuer.ts';

/** The authorizer's decision; `no-identity`: it is not invoked; `undecided`: it throws. */
export type Expected = 'allowed' | 'no-identity' | 'undecided' | DenialReason;

/** An Authorization header with the expected decision. */
export interface Entry {
  readonly name: string;
  readonly expected: Expected;
  /** The header's value; a list for a repeated header, undefined for no header. */
  readonly authorization: (issuer: Issuer) => string | string[] | undefined;
  /** Whether the contract also sends it through each gateway. */
  readonly sent: boolean;
}

type Named<Value> = Readonly<Record<string, Value>>;

/** Authorization headers by name. */
export const headers = (expected: Expected, values: Named<Entry['authorization']>): readonly Entry[] =>
  Object.entries(values).map(([name, authorization]) => ({ name, expected, authorization, sent: false }));

/** Tokens by name. */
export const tokens = (expected: Expected, values: Named<(issuer: Issuer) => string>): readonly Entry[] =>
  Object.entries(values).flatMap(([name, make]) =>
    headers(expected, { [name]: (issuer) => `Bearer ${make(issuer)}` }),
  );

/** Tokens by name, each valid except for changes, in which `$iss`, `$aud` and `$kid` are the valid values. */
export const changed = (expected: Expected, values: Named<TokenChanges>): readonly Entry[] =>
  Object.entries(values).flatMap(([name, { header = {}, claims = {}, ...key }]) =>
    tokens(expected, {
      [name]: (issuer) =>
        issuer.token({ header: filledIn(header, issuer), claims: filledIn(claims, issuer), ...key }),
    }),
  );

const filledIn = (members: Named<unknown>, { name, audience, key }: Issuer): Named<unknown> => {
  const fill = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value).replaceAll('$iss', name).replaceAll('$aud', audience).replaceAll('$kid', key.kid),
    );
  return Object.fromEntries(
    Object.entries(members).map(([member, value]) => [member, value === undefined ? value : fill(value)]),
  );
};

/** The decision on tokens that are valid except for one member, with each of these values. */
export type Row = readonly [expected: Expected, member: string, ...values: readonly unknown[]];

/** The tokens of rows about claims or about header parameters. `undefined` leaves the member out. */
export const rows = (part: 'claims' | 'header', table: readonly Row[]): readonly Entry[] =>
  table.flatMap(([expected, member, ...values]) =>
    values.flatMap((value) => {
      const name = `${part}.${member} ${value === undefined ? 'missing' : JSON.stringify(value)}`;
      return changed(expected, { [`a token with ${name.slice(0, 80)}`]: { [part]: { [member]: value } } });
    }),
  );

/** The same entries, also sent through each gateway. */
export const sent = (entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => ({ ...entry, sent: true }));

/** The time in seconds since 1970, as in tokens. */
export const now = (): number => Math.floor(Date.now() / 1000);
