import dynalite from 'dynalite';
import { afterAll } from 'vitest';
import { describePlantItems } from './describe-plant-items.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

const server = dynalite({ createTableMs: 0 });
describePlantItems('dynalite', () => startServer(server));
afterAll(() => stopServer(server));
