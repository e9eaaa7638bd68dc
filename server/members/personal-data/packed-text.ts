import { once } from 'node:events'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { constants, createDeflateRaw, createInflateRaw } from 'node:zlib'

/** Text that is too long to be held as it is, packed while it is written and unpacked while it is read. */
export function openPackedText() {
  const packing = createDeflateRaw({ level: constants.Z_BEST_SPEED })
  const pieces: Buffer[] = []
  packing.on('data', (piece: Buffer) => pieces.push(piece))
  const written = finished(packing)
  written.catch(() => undefined) // Told to whoever ends it.
  return {
    async write(text: string): Promise<void> {
      if (!packing.write(text)) await once(packing, 'drain')
    },
    /** Answers how it is read. */
    async end(): Promise<() => Readable> {
      packing.end()
      await written
      return () => Readable.from(pieces, { objectMode: false }).pipe(createInflateRaw())
    },
    /** Nobody is to read it. */
    drop: (): void => void packing.destroy(),
  }
}
