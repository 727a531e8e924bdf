import { compileFunction } from 'node:vm';

/** The value of a metric or expression at one time; undefined when data is missing. */
export type Value = number | undefined;

/** The functions of metric math in the alarms (AWS: "Using math expressions with CloudWatch metrics"). */
const functions = {
  IF: (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise),
  FILL: (metric: number, filling: number) => (Number.isNaN(metric) ? filling : metric),
  MAX: (values: readonly number[]) => Math.max(...values.filter((value) => !Number.isNaN(value))),
};

/**
 * Compiles an expression as JavaScript, with the same arithmetic. No data or a division by zero: no value.
 * @throws {Error} for another syntax and, when evaluated, for another function
 */
export const metricMath = (text: string): ((valueOf: (id: string) => Value) => Value) => {
  const ids = [...new Set(text.match(/\b[a-z]\w*/g))];
  const compiled = compileFunction(`return ${text}`, [...Object.keys(functions), ...ids]);
  return (valueOf) => {
    const values = ids.map((id) => valueOf(id) ?? NaN);
    const result: unknown = Reflect.apply(compiled, undefined, [...Object.values(functions), ...values]);
    return typeof result === 'number' && Number.isFinite(result) ? result : undefined;
  };
};
