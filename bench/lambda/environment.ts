export const region = 'us-east-1';
export const tableName = 'plants';

/** Invented, in the form that Lambda passes to a function. */
export const credentials = {
  accessKeyId: 'ASIABENCHMARK0000000',
  secretAccessKey: 'benchmark/benchmark/benchmark/benchmark0',
  sessionToken: 'benchmark'.repeat(80),
} as const;
