import { randomBytes } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes a file atomically, readable by its owner alone, and never overwrites one. Returns its size in bytes.
 */
export async function writeNewFile(path: string, content: Readable): Promise<number> {
  const part = `${path}.${randomBytes(4).toString('hex')}.part`
  try {
    // Also checked first, to refuse before hours of reading.
    if (existsSync(path)) throw new Error(`${path} already exists.`)
    const file = createWriteStream(part, { flags: 'wx', mode: 0o600 })
    await pipeline(content, file)
    await giveName(part, path)
    return file.bytesWritten
  } finally {
    content.destroy()
    await rm(part, { force: true })
  }
}

/** Links instead of renaming: a link fails if the file exists, a rename would replace it. */
async function giveName(part: string, path: string): Promise<void> {
  try {
    await link(part, path)
  } catch (problem) {
    // Either the file exists by now, or the file system has no links, as on many USB sticks.
    if (existsSync(path)) throw problem
    await rename(part, path)
  }
}
