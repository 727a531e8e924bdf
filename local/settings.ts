import { devNull } from 'node:os';
import { endpointFrom } from '../terminal/aws-endpoint.ts';
import { storeLogin } from '../terminal/local-service.ts';
import { loopback, type Port, portFrom } from './server/ports.ts';

/** What the environment sets for `npm start`. */
export interface Settings {
  readonly ports: Readonly<Record<'gateway' | 'store' | 'issuer', Port>>;
  /** The address on which store and issuer listen. */
  readonly address: string;
  /** The address of a store that replaces the embedded one. */
  readonly storeEndpoint: string | undefined;
}

/** @throws {UserError} when the address of the store is not a URL */
export const readSettings = (): Settings => ({
  ports: { gateway: portFrom('PORT'), store: portFrom('STORE_PORT'), issuer: portFrom('ISSUER_PORT') },
  address: process.env['ADDRESS'] ?? loopback,
  storeEndpoint: endpointFrom('AWS_ENDPOINT_URL_DYNAMODB'),
});

/**
 * Gives this process and its functions the local store's login in place of the machine's AWS settings.
 * @param address reached without the machine's proxy, because store and issuer listen on it
 */
export const replaceMachineSettings = (address: string): void => {
  // `functionVariables` does not set REQUIRED_SCOPE, so a value of this machine would reach the authorizer.
  const kept = Object.entries(process.env).filter(([name]) => !/^AWS_|^REQUIRED_SCOPE$/.test(name));
  process.env = {
    ...Object.fromEntries(kept),
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_REGION: storeLogin.region,
    AWS_ACCESS_KEY_ID: storeLogin.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: storeLogin.credentials.secretAccessKey,
    no_proxy: `${process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? ''},${address}`,
  };
};
