import { z } from 'zod';

/** What a process holds between two requests; sizes in bytes. NaN: it cannot be seen from outside the process. */
export const measurement = z.object({
  /** Resident memory after garbage collection. */
  rss: z.number(),
  /** JavaScript's objects and buffers after garbage collection. */
  heap: z.number(),
  sockets: z.number(),
  timers: z.number(),
  /** Listeners of the process. */
  listeners: z.number(),
  /** Warnings of Node so far, such as one about too many listeners. */
  warnings: z.number(),
});

export type Measurement = Readonly<z.infer<typeof measurement>>;
