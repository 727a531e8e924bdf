import type { Principal } from '../../../table/principal.ts';

/** A row of a file. Without a name it is refused. */
export interface Row {
  readonly id?: string | undefined;
  readonly name: string;
  readonly tag?: string | undefined;
}

/** An item with its attributes; a number stands for an attribute of a wrong type. */
export interface Item {
  readonly principal: Principal;
  readonly sortKey: string;
  readonly name?: string | number | undefined;
  readonly tag?: string | number | undefined;
  readonly plantId?: string | undefined;
  /** An attribute that the service does not know. */
  readonly note?: string | undefined;
}

/** A command that changes a table, with its options. */
export type Command =
  | {
      readonly run: 'import';
      readonly rows: readonly Row[];
      readonly to: Principal;
      readonly replace: boolean;
      readonly strict: boolean;
      readonly dryRun: boolean;
    }
  | {
      readonly run: 'grant';
      readonly id: string;
      readonly to: Principal;
      readonly from?: Principal | undefined;
      readonly name?: string | undefined;
    }
  | {
      readonly run: 'revoke';
      readonly id: string;
      readonly from: Principal;
      readonly name?: string | undefined;
    }
  | { readonly run: 'revoke --all'; readonly from: Principal }
  /** `sortKey`: the one whose hash is passed. */
  | { readonly run: 'revoke --key'; readonly from: Principal; readonly sortKey: string }
  | { readonly run: 'remove'; readonly id: string; readonly name?: string | undefined }
  | { readonly run: 'check'; readonly repair: boolean }
  | {
      readonly run: 'restore';
      readonly from: 'the other table' | 'the table itself';
      readonly principal?: Principal | undefined;
      readonly dryRun: boolean;
      readonly allowEmpty: boolean;
    };

export type TableName = 'A' | 'B';

export interface TwoStep {
  readonly step: 'two';
  readonly table: TableName;
  readonly first: Command;
  readonly second: Command;
  /** Before which request of the first command the second one runs; undefined: both run at once. */
  readonly before?: number | undefined;
}

export type Step =
  /** Writes an item past the commands. */
  | { readonly step: 'put'; readonly table: TableName; readonly item: Item }
  | { readonly step: 'one'; readonly table: TableName; readonly command: Command }
  | TwoStep;

/** A command as a person would write it, nearly. */
export const commandText = ({ run, ...options }: Command): string =>
  [
    run,
    ...Object.entries(options)
      .filter(([, value]) => value !== undefined && value !== false)
      .map(([option, value]) => (value === true ? `--${option}` : `--${option} ${JSON.stringify(value)}`)),
  ].join(' ');

export const stepText = (step: Step): string => {
  switch (step.step) {
    case 'put':
      return `${step.table}: put ${JSON.stringify(step.item)}`;
    case 'one':
      return `${step.table}: ${commandText(step.command)}`;
    case 'two': {
      const when = step.before === undefined ? 'at once' : `second before request ${String(step.before)}`;
      return `${step.table}: ${commandText(step.first)} || ${commandText(step.second)} (${when})`;
    }
  }
};
