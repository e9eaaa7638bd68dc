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
import { Alarm, type Command, type Place, UsageProblem } from './command.ts'

const whose = 'Backups lie in ATRIUM_BACKUP_FOLDER or BACKUP_S3_BUCKET, sealed with ATRIUM_BACKUP_KEY.'

export const backupCommands: Command[] = [
  {
    words: 'backup make',
    takes: '',
    says: 'database and files as they are in one moment; files that are there already are passed by',
    more: `${whose} Broken off, it is simply called again.`,
    runBefore: (place) =>
      withArchive(place, async (archive) => {
        const files = await openFileStore(place, logBeside(place))
        try {
          await archive.store.prepare?.()
          const made = await makeBackup(archive, { databaseUrl: directUrlOf(place), files, now: new Date() })
          if (made.files_lost.length > 0)
            throw new Alarm(
              `${made.backup} is made, but these files are not what the database says: ${made.files_lost.join(', ')}`,
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
    says: 'backups, the oldest first, and whether each was finished',
    runWithout: (config) => withArchive(config, listBackups),
  },
  {
    words: 'backup check',
    takes: '[<backup>]',
    says: 'reads a backup to its end: everything opens and is whole; the newest, unless named',
    more: 'Needs neither the database nor the files that it was made of.',
    runWithout: (config, [named]) =>
      withArchive(config, async (archive) => well(await checkBackup(archive, await chooseBackup(archive, named)))),
  },
  {
    words: 'backup restore',
    takes: '[<backup>]',
    says: 'puts a backup into an empty database and the file store, and verifies it; the newest, unless named',
    more: `${whose} The database must be new. Start Atrium on it afterwards, not before.`,
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
    says: 'row counts and file hashes beside a backup, and the ledger and the audit log beside themselves',
    more: 'For a database that was just restored: one that has gone on since has other rows.',
    runBefore: (place, [named]) =>
      withArchive(place, async (archive) => verify(place, archive, await chooseBackup(archive, named))),
  },
  {
    words: 'backup mark-restored',
    takes: '',
    says: 'after another tool put the database back: what it knows to be under way is paid out by staff only',
    more: 'A backup restore does this by itself. Called before Atrium is started on that database, not after.',
    runBefore: (place) => markRestored(directUrlOf(place), new Date()),
  },
  {
    words: 'backup clear',
    takes: '<how many to keep>',
    says: 'removes all but the newest, and the files that none of those names',
    runBefore: (place, [text]) =>
      withArchive(place, async (archive) => {
        const keep = Number(text)
        if (!Number.isInteger(keep) || keep < 1) throw new UsageProblem('Say how many are kept: 1 or more.')
        return holding(place, () => clearBackups(archive, keep))
      }),
  },
]

export const copyCommands: Command[] = [
  {
    words: 'copy anonymise',
    takes: '<database>',
    says: 'takes names, contacts, texts and secrets out of a copy of a database, so that problems can be looked into',
    more: 'DATABASE_URL is the address of the copy; its name ends in _copy, and nothing else is connected to it. It cannot be taken back.',
    async runBefore(place, [named = '']) {
      if (place.production)
        throw new BackupProblem(
          'Here NODE_ENV is production: a copy is anonymised where no members are. Nothing was changed.',
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
    throw new Alarm(`Beside ${verdict.backup} this is not as it should be:\n${verdict.wrong.join('\n')}`, verdict)
  return verdict
}
