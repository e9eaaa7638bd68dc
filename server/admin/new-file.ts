import { randomBytes } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes a file that is there whole or not at all, readable by its owner alone, and touches none that is there. Answers how many
 * bytes it has.
 */
export async function writeNewFile(path: string, content: Readable): Promise<number> {
  const part = `${path}.${randomBytes(4).toString('hex')}.part`
  try {
    // Said before hours of reading, too.
    if (existsSync(path)) throw new Error(`${path} is there already.`)
    const file = createWriteStream(part, { flags: 'wx', mode: 0o600 })
    await pipeline(content, file)
    await giveName(part, path)
    return file.bytesWritten
  } finally {
    content.destroy()
    await rm(part, { force: true })
  }
}

/** A link is refused where there is such a file; a rename would replace it. */
async function giveName(part: string, path: string): Promise<void> {
  try {
    await link(part, path)
  } catch (problem) {
    // There by now, or a file system without links, as on many a stick.
    if (existsSync(path)) throw problem
    await rename(part, path)
  }
}
