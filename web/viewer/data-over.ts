import type { FromFrame, ToFrame } from '../ui/files/pdf-labels.ts'

type Asked = { kind: string; filename: string }
type Waiting = PromiseWithResolvers<Uint8Array>

const folders: Record<string, string> = { cMapUrl: 'cmaps', standardFontDataUrl: 'standard_fonts' }

/** Character maps and fonts that a KYC document names but does not embed, fetched by the parent page. */
export function dataOver(port: MessagePort): { Factory: object } {
  const waiting = new Map<string, Waiting>()
  port.addEventListener('message', ({ data }: MessageEvent<ToFrame>) => {
    if (data.kind !== 'data') return
    const place = `${data.folder}/${data.filename}`
    const asked = waiting.get(place)
    waiting.delete(place)
    if (data.bytes) asked?.resolve(new Uint8Array(data.bytes))
    else asked?.reject(new Error(`There is no ${place}`))
  })
  port.start()
  class Factory {
    fetch({ kind, filename }: Asked): Promise<Uint8Array> {
      const folder = folders[kind]
      if (!folder) return Promise.reject(new Error(`There is no ${kind}`))
      const place = `${folder}/${filename}`
      const before = waiting.get(place)
      if (before) return before.promise
      const asked: Waiting = Promise.withResolvers()
      waiting.set(place, asked)
      port.postMessage({ kind: 'wanted', folder, filename } satisfies FromFrame)
      return asked.promise
    }
  }
  return { Factory }
}
