/** Every server of the benchmark listens only here. */
export const loopback = '127.0.0.1';

export const region = 'us-east-1';
export const tableName = 'plants';

/** Invented, in the form that Lambda passes to a function. */
export const credentials = {
  accessKeyId: 'ASIABENCHMARK0000000',
  secretAccessKey: 'benchmark/benchmark/benchmark/benchmark0',
  sessionToken: 'benchmark'.repeat(80),
} as const;

/** A function's memory where its share of a processor is not measured, in MB. It limits the heap as on Lambda. */
export const memoryMb = 512;

/** Node's arguments as computed by the managed runtime's start script: a tenth for the three semi-spaces of the young generation. */
export const heapArguments = (memoryMb: number): readonly string[] => {
  const newSpaceMb = Math.floor(memoryMb / 10);
  return [
    `--max-semi-space-size=${String(Math.floor(newSpaceMb / 3))}`,
    `--max-old-space-size=${String(memoryMb - newSpaceMb)}`,
  ];
};
