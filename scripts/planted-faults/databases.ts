import type { PlantedFault } from './planted-fault.ts'

/** The database and its connections: ended, silent, pooled, copied. */
export const databaseFaults: PlantedFault[] = [
  {
    name: 'a connection that the database ends takes the program with it',
    file: 'server/foundation/database.ts',
    find: "client.on('error', () => undefined)",
    replace: '',
    tests: ['server/foundation/ended-connection.test.ts'],
    guards: 'V4',
  },
  {
    name: 'a database whose machine is gone without a word is waited for',
    file: 'server/foundation/database.ts',
    find: 'if (!atWork.has(client)) return',
    replace: 'return',
    tests: ['server/foundation/silent-database.test.ts'],
    guards: 'V4',
  },
  {
    name: 'nobody looks for work that another process has put there',
    file: 'server/foundation/jobs.ts',
    find: '      next?.look()\n',
    replace: '      void next\n',
    tests: ['server/foundation/jobs.test.ts'],
    guards: 'V4',
  },
  {
    name: 'a round that takes longer than two minutes is begun beside itself',
    file: 'server/foundation/jobs.ts',
    find: 'round: 12 * 3_600',
    replace: 'round: 120',
    tests: ['server/foundation/long-jobs.slow.test.ts'],
    guards: 'V7',
  },
  {
    name: 'a round is asked for while the one before it goes on',
    file: 'server/foundation/jobs.ts',
    find: 'return rows.length === 0',
    replace: 'return rows.length < 2',
    tests: ['server/foundation/long-jobs.slow.test.ts'],
    guards: 'V7',
  },
  {
    name: 'plans are kept behind a pool that hands each transaction to another session',
    file: 'server/foundation/client-dialect.ts',
    find: 'return plans.areKept && isKept(query)',
    replace: 'return isKept(query)',
    tests: ['server/foundation/kept-statement.test.ts'],
    guards: 'T6',
  },
  {
    name: 'a kept statement is asked with the values of another time',
    file: 'server/foundation/kept-statement.ts',
    find: 'const parameters = made.parameters.map(',
    replace: 'const parameters = (made as { first?: unknown[] }).first ??= made.parameters.map(',
    tests: ['server/foundation/kept-statement.test.ts'],
    guards: 'T6',
  },
  {
    name: 'a list is read from a copy that has not got what its reader just wrote',
    file: 'server/foundation/database.ts',
    find: 'return xid === null || (await lastWriteOf(client, actor)) === xid',
    replace: 'return xid === null || (await lastWriteOf(client, actor)) !== undefined',
    tests: ['server/foundation/replica.slow.test.ts'],
    guards: 'V4',
  },
]
