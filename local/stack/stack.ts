import { z } from 'zod';
import { UserError } from '../../terminal/user-error.ts';

/** The parts of a synthesized stack that `npm start` runs. */
export interface Stack {
  readonly api: HttpApi;
  readonly functions: readonly FunctionDefinition[];
  readonly table: TableDefinition;
}

export interface HttpApi {
  readonly routes: readonly Route[];
  readonly cors?: Cors | undefined;
  /** A line of the access log, with `$context` variables. */
  readonly accessLogFormat?: string | undefined;
}

export interface Route {
  /** Method or `ANY`, a space, a path with `{parameters}`; or `$default`. */
  readonly key: string;
  /** Logical id of the function that responds. */
  readonly functionId: string;
  /** How long the gateway waits for it, in milliseconds. */
  readonly timeout: number;
  readonly authorizer?: Authorizer | undefined;
}

export interface Authorizer {
  readonly functionId: string;
  /** Lower-case names of the headers that identify the caller. */
  readonly identityHeaders: readonly string[];
  /** How long a response is cached, in seconds. */
  readonly cacheSeconds: number;
}

/** Which web pages of other origins can call the API, as in the template. */
export const corsSchema = z.object({
  AllowOrigins: z.array(z.string()).default([]),
  AllowMethods: z.array(z.string()).default([]),
  AllowHeaders: z.array(z.string()).default([]),
  ExposeHeaders: z.array(z.string()).default([]),
  /** How long a browser may cache the response to a preflight request, in seconds. */
  MaxAge: z.number().optional(),
});
export type Cors = Readonly<z.infer<typeof corsSchema>>;

/** What a function's bundle is made from. */
export const bundleSourceSchema = z.object({ entry: z.string(), sourceMaps: z.boolean() });

export interface FunctionDefinition {
  readonly id: string;
  readonly source: Readonly<z.infer<typeof bundleSourceSchema>>;
  /** Folder of the bundled code. */
  readonly codeFolder: string;
  /** `<file without ending>.<export>`. */
  readonly handler: string;
  /** Seconds. */
  readonly timeout: number;
  /** MB. */
  readonly memorySize: number;
  readonly environment: Readonly<Record<string, string>>;
}

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

/** The keys and indexes of the table, as in the template. */
export const tableSchema = z.object({
  KeySchema: keySchema,
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  GlobalSecondaryIndexes: z
    .array(
      z.object({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.object({ ProjectionType: z.enum(['ALL', 'KEYS_ONLY']) }),
      }),
    )
    .optional(),
});
export type TableDefinition = Readonly<z.infer<typeof tableSchema>> & { readonly name: string };

/**
 * Reads a variable of the authorizer.
 * @throws {UserError} when the stack has a token profile without it, which the local issuer does not support
 */
export const settingOf = ({ functions }: Stack, name: 'AUDIENCE' | 'TOKEN_ISSUER'): string => {
  const [setting] = functions.flatMap(({ environment }) => environment[name] ?? []);
  if (setting === undefined) throw new UserError(`The local issuer needs a stack that declares ${name}.`);
  return setting;
};
