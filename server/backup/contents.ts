import { Readable } from 'node:stream'
import { z } from 'zod'
import { type Archive, keepSealed, readParts, readSealed } from './archive.ts'
import { BackupProblem } from './problem.ts'

const count = z.number().int().min(0)
const shape = z.object({
  format: z.literal(1),
  backup: z.string(),
  made_at: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.record(z.string(), count),
      parts: count,
      bytes: count,
    }),
  ),
  files: z.object({ count, parts: count, bytes: count, absent: z.array(z.string()) }),
  /** Unfinished jobs; backups of earlier versions have none. */
  jobs: z.object({ count, parts: count, bytes: count }).optional(),
})

/**
 * The contents of a backup, written last, so that an unfinished backup has none. `rows` counts rows per workspace;
 * `absent` lists files missing from the store.
 */
export type Contents = z.output<typeof shape>

const contentsName = (backup: string): string => `backups/${backup}/contents`
export const tableName = (backup: string, table: string): string => `backups/${backup}/${table}`
export const jobsName = (backup: string): string => `backups/${backup}/unfinished-jobs`
export const fileListName = (backup: string): string => `backups/${backup}/file-list`

export function keepContents(archive: Archive, contents: Contents): Promise<void> {
  return keepSealed(archive, contentsName(contents.backup), Readable.from([Buffer.from(JSON.stringify(contents))]))
}

export async function readContents(archive: Archive, backup: string): Promise<Contents> {
  const found = await readSealed(archive, contentsName(backup))
  if (!found) throw new BackupProblem(`There is no complete backup ${backup}.`)
  const pieces: Buffer[] = []
  for await (const piece of found) pieces.push(piece)
  const read = shape.safeParse(JSON.parse(Buffer.concat(pieces).toString()))
  if (!read.success) throw new BackupProblem(`${backup} was made by a version whose backups this version cannot read.`)
  return read.data
}

export type Backup = { backup: string; objects: number; is_whole: boolean }

/** Oldest first; names begin with the time. */
export async function listBackups({ store }: Archive): Promise<Backup[]> {
  const found = new Map<string, Backup>()
  for await (const { key } of store.list('backups')) {
    const backup = key.split('/')[1] ?? ''
    const known = found.get(backup) ?? { backup, objects: 0, is_whole: false }
    found.set(backup, { backup, objects: known.objects + 1, is_whole: known.is_whole || key === contentsName(backup) })
  }
  return [...found.values()].sort((left, right) => (left.backup < right.backup ? -1 : 1))
}

/** The named backup, or the newest complete one. */
export async function chooseBackup(archive: Archive, named: string | undefined): Promise<Contents> {
  const chosen = named ?? (await listBackups(archive)).findLast(({ is_whole }) => is_whole)?.backup
  if (chosen === undefined) throw new BackupProblem('There is no complete backup here.')
  if (!/^[0-9a-z-]{1,64}$/.test(chosen)) throw new BackupProblem(`There is no complete backup ${chosen}.`)
  return readContents(archive, chosen)
}

/** A file of the store by its key there; `digest` names it in the archive, `sha256` is the hash from the database. */
export type FileEntry = { digest: string; key: string; sha256: string | null }

/** Sorted by digest. */
export async function* readFileList(archive: Archive, { backup, files }: Contents): AsyncGenerator<FileEntry> {
  yield* parseFileList(readParts(archive, fileListName(backup), files.parts))
}

async function* parseFileList(source: AsyncIterable<Buffer>): AsyncGenerator<FileEntry> {
  let rest = ''
  // Digests, keys and hashes are ASCII, so no piece splits a character.
  for await (const piece of source) {
    const lines = (rest + piece.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [digest = '', key = '', sha256 = ''] = line.split('\t')
      yield { digest, key, sha256: sha256 === '' ? null : sha256 }
    }
  }
}

/** Below the mark of the key, since a new key means encrypting everything again. */
export const fileName = ({ key }: Archive, digest: string): string => `${filePrefix({ key }, digest)}/${digest}`
export const filePrefix = ({ key }: Pick<Archive, 'key'>, digest: string): string =>
  `files/${key.mark}/${digest.slice(0, 2)}`
