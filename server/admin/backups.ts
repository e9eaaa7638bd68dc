import { anonymiseCopy } from '../backup/anonymise.ts'
import type { Archive } from '../backup/archive.ts'
import { clearBackups } from '../backup/clearing.ts'
import { withConnection } from '../backup/connection.ts'
import { chooseBackup, listBackups } from '../backup/contents.ts'
import { holdBackupLock, makeBackup } from '../backup/make.ts'
import { markRestored } from '../backup/mark-restored.ts'
import { openArchive } from '../backup/open-archive.ts'
import { BackupProblem } from '../backup/problem.ts'
import { progressOn } from '../backup/progress.ts'
import { restoreBackup } from '../backup/restore.ts'
import { checkBackup, type Verdict, verifyRestored } from '../backup/verify.ts'
import type { Config } from '../config.ts'
import { openFileStore } from '../files/open-store.ts'
import { logBeside } from '../observability/log.ts'
import { withContext } from '../start.ts'
import { Alarm, type Command, countIn, type Place, UsageProblem } from './command.ts'

const whose = 'Backups are stored in ATRIUM_BACKUP_FOLDER or BACKUP_S3_BUCKET, encrypted with ATRIUM_BACKUP_KEY.'

export const backupCommands: Command[] = [
  {
    words: 'backup make',
    takes: '',
    summary: 'makes a backup of the database and the files in one snapshot; files already backed up are skipped',
    more: `${whose} If it is interrupted, run it again.`,
    runBefore: (place) =>
      withArchive(place, async (archive) => {
        const files = await openFileStore(place, logBeside(place))
        try {
          await archive.store.prepare?.()
          const made = await makeBackup(archive, { databaseUrl: directUrlOf(place), files, now: new Date() })
          if (made.files_lost.length > 0)
            throw new Alarm(
              `${made.backup} is complete, but these files differ from the database: ${made.files_lost.join(', ')}`,
              made,
            )
          return made
        } finally {
          await files.close()
        }
      }),
  },
  {
    words: 'backup list',
    takes: '',
    summary: 'lists the backups, the oldest first, and whether each is complete',
    runWithout: (config) => withArchive(config, listBackups),
  },
  {
    words: 'backup check',
    takes: '[<backup>]',
    summary: 'reads and decrypts a whole backup, by default the newest',
    more: 'Needs neither the database nor the file store.',
    runWithout: (config, [named]) =>
      withArchive(config, async (archive) => well(await checkBackup(archive, await chooseBackup(archive, named)))),
  },
  {
    words: 'backup restore',
    takes: '[<backup>]',
    summary: 'restores a backup, by default the newest, to an empty database and the file store, and verifies it',
    more: `${whose} The database must be new. Start Atrium on it only afterwards.`,
    // A backup key in the environment shows that the restore on this machine is deliberate.
    begins: ({ ATRIUM_BACKUP_KEY }) => ATRIUM_BACKUP_KEY !== undefined,
    runBefore: (place, [named]) =>
      withArchive(place, async (archive) => {
        const contents = await chooseBackup(archive, named)
        const files = await openFileStore(place, logBeside(place))
        try {
          await restoreBackup(archive, contents, { ...place, files })
        } finally {
          await files.close()
        }
        return verify(place, archive, contents)
      }),
  },
  {
    words: 'backup verify',
    takes: '[<backup>]',
    summary: 'compares row counts and file hashes with a backup, and checks the ledger and the audit log',
    more: 'For a database that was just restored: one in use has other rows.',
    runBefore: (place, [named]) =>
      withArchive(place, async (archive) => verify(place, archive, await chooseBackup(archive, named))),
  },
  {
    words: 'backup mark-restored',
    takes: '',
    summary:
      'to run after another tool restored the database: ends all sessions and open password links, and sends payouts in progress to manual review',
    more: 'A backup restore does this itself. Run it before Atrium is started on that database.',
    runBefore: (place) => markRestored(directUrlOf(place), new Date()),
  },
  {
    words: 'backup clear',
    takes: '<count>',
    summary: 'removes all but the newest <count> backups, and the files that only removed ones use',
    runBefore: (place, [text]) =>
      withArchive(place, async (archive) => {
        const keep = countIn(text)
        if (!Number.isInteger(keep) || keep < 1) throw new UsageProblem('Enter how many backups to keep: 1 or more.')
        return holding(place, () => clearBackups(archive, keep))
      }),
  },
]

export const copyCommands: Command[] = [
  {
    words: 'copy anonymise',
    takes: '<database>',
    summary:
      'removes names, contacts, texts and secrets from a copy of a database, so that it can be used for debugging',
    more: 'DATABASE_URL is the address of the copy. Its name must end in _copy, and nothing else may be connected to it. This cannot be undone.',
    async runBefore(place, [named = '']) {
      if (place.production)
        throw new BackupProblem(
          'NODE_ENV is production here: anonymise a copy on another machine. Nothing was changed.',
        )
      return anonymiseCopy(directUrlOf(place), named)
    },
  },
]

const directUrlOf = ({ directDatabaseUrl, databaseUrl }: Place): string => directDatabaseUrl ?? databaseUrl

async function withArchive<Result>(config: Config, work: (archive: Archive) => Promise<Result>): Promise<Result> {
  const archive = await openArchive(config)
  try {
    return await work({ ...archive, onMove: progressOn(process.stderr) })
  } finally {
    await archive.store.close()
  }
}

/** Holds the backup lock: a backup made meanwhile would refer to files that are being deleted. */
function holding<Result>(place: Place, work: () => Promise<Result>): Promise<Result> {
  return withConnection(directUrlOf(place), 'atrium backups', async (client) => {
    await holdBackupLock(client)
    return work()
  })
}

function verify(place: Place, archive: Archive, contents: Parameters<typeof verifyRestored>[1]): Promise<Verdict> {
  return withContext(place, async (context) =>
    well(await verifyRestored(archive, contents, { databaseUrl: directUrlOf(place), context })),
  )
}

function well(verdict: Verdict): Verdict {
  if (verdict.wrong.length > 0)
    throw new Alarm(`Differences from ${verdict.backup}:\n${verdict.wrong.join('\n')}`, verdict)
  return verdict
}
