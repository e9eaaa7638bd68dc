import { once } from 'node:events'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { constants, createDeflateRaw, createInflateRaw } from 'node:zlib'

/** Text too long to hold in memory as it is: compressed while written, decompressed while read. */
export function openPackedText() {
  const packing = createDeflateRaw({ level: constants.Z_BEST_SPEED })
  const pieces: Buffer[] = []
  packing.on('data', (piece: Buffer) => pieces.push(piece))
  const written = finished(packing)
  written.catch(() => undefined) // `end` throws the error.
  return {
    async write(text: string): Promise<void> {
      if (!packing.write(text)) await once(packing, 'drain')
    },
    /** Returns a function that opens a stream of the text. */
    async end(): Promise<() => Readable> {
      packing.end()
      await written
      return () => Readable.from(pieces, { objectMode: false }).pipe(createInflateRaw())
    },
    /** Discards the text. */
    drop: (): void => void packing.destroy(),
  }
}
