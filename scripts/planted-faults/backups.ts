import type { PlantedFault } from './planted-fault.ts'

const backup = ['server/backup/backup.test.ts']
const damaged = ['server/backup/damaged.test.ts']

/** What is saved, and what is put back from it. */
export const backupFaults: PlantedFault[] = [
  {
    name: 'parts of a backup may be exchanged',
    file: 'server/backup/sealing.ts',
    find: 'const describeFrame = (name: string, place: number, isLast: boolean): Buffer =>',
    replace: "const describeFrame = (_: string, place: number, isLast: boolean, name = ''): Buffer =>",
    tests: damaged,
    guards: 'V8',
  },
  {
    name: 'a backup is made of several moments',
    file: 'server/backup/make.ts',
    find: "'begin isolation level repeatable read'",
    replace: "'begin'",
    tests: backup,
    guards: 'V8',
  },
  {
    name: 'a restore signs in again whoever signed out',
    file: 'server/backup/restore.ts',
    find: "    await client.query('update sessions set ended_at = now() where ended_at is null')\n",
    replace: '',
    tests: backup,
    guards: 'A6',
  },
  {
    name: 'a backup is put into a database that is in use',
    file: 'server/backup/restore.ts',
    find: "if (rowCount) throw new BackupProblem('This database is not empty",
    replace: "if (rowCount === -1) throw new BackupProblem('This database is not empty",
    tests: damaged,
    guards: 'V8',
  },
  {
    name: 'a backup with fewer rows than were counted is put back',
    file: 'server/backup/restore.ts',
    find: 'if (into.rowCount !== due)',
    replace: 'if (into.rowCount < 0)',
    tests: damaged,
    guards: 'V8',
  },
  {
    name: 'what was lowered to put rows back stays lowered',
    file: 'server/backup/restore.ts',
    find: 'for (const statement of [...keys.after, ...guards.after]) await client.query(statement)',
    replace: '',
    tests: backup,
    guards: 'V8, M1',
  },
  {
    name: 'a file that is missing from a backup is passed by',
    file: 'server/backup/restore.ts',
    find: 'if (!lost.has(key)) throw',
    replace: 'if (lost.has(key)) throw',
    tests: damaged,
    guards: 'V8',
  },
  {
    name: 'clearing old backups takes files that others name',
    file: 'server/backup/clearing.ts',
    find: 'if (named.has(key)) continue',
    replace: 'if (named.size < 0) continue',
    tests: backup,
    guards: 'V8',
  },
  {
    name: 'an anonymised copy keeps what tickets say',
    file: 'server/backup/copy-tables.ts',
    find: "content: sayIf('content')",
    replace: "content: 'content'",
    tests: ['server/backup/anonymise.test.ts'],
    guards: 'P1',
  },
  {
    name: 'any database is anonymised, whatever it is called',
    file: 'server/backup/anonymise.ts',
    find: 'if (!copyName.test(named))',
    replace: 'if (named === null)',
    tests: ['server/backup/anonymise.test.ts'],
    guards: 'V8',
  },
]
