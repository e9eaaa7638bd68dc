import type { Mutation } from './mutation.ts'

const backup = ['server/backup/backup.test.ts']
const damaged = ['server/backup/damaged.test.ts']
const paidOnce = ['server/backup/paid-once.test.ts']

/** Backup and restore. */
export const backupMutations: Mutation[] = [
  {
    name: 'parts of a backup can be swapped',
    file: 'server/backup/sealing.ts',
    find: 'const describeFrame = (name: string, place: number, isLast: boolean): Buffer =>',
    replace: "const describeFrame = (_: string, place: number, isLast: boolean, name = ''): Buffer =>",
    tests: damaged,
    guards: 'V8',
  },
  {
    name: 'a backup mixes several snapshots',
    file: 'server/backup/make.ts',
    find: "'begin isolation level repeatable read'",
    replace: "'begin'",
    tests: backup,
    guards: 'V8',
  },
  {
    name: 'a restore loses the unfinished jobs',
    file: 'server/backup/restore.ts',
    find: '    await putJobs(archive, contents, client)\n',
    replace: '    void putJobs\n',
    tests: ['server/backup/jobs-restored.test.ts'],
    guards: 'V8',
  },
  {
    name: 'a restored database has no indexes',
    file: 'server/backup/restore.ts',
    find: '[...indexes.after, ...keys.after',
    replace: '[...keys.after',
    tests: backup,
    guards: 'V8',
  },
  {
    name: 'an anonymised copy contains ticket messages',
    file: 'server/backup/copy-tables.ts',
    find: "content: sayIf('content')",
    replace: "content: 'content'",
    tests: ['server/backup/anonymise.test.ts'],
    guards: 'P1',
  },
  {
    name: 'a withdrawal from before the restore is paid out automatically after its debit',
    file: 'server/funding/crediting/intent-outcome.ts',
    find: 'if (await isFromBeforeRestore(tx, system, row))\n',
    replace: "if (row.amount === '' && (await isFromBeforeRestore(tx, system, row)))\n",
    tests: paidOnce,
    guards: 'M15',
  },
]
