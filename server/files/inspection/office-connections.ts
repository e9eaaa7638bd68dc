import type { FileBytes } from '../file-bytes.ts'
import { readElements } from './office-xml.ts'
import { entryContent, type ZipEntry } from './zip.ts'

const refreshingTypes = /\bspreadsheetml\.(connections|queryTable)\+xml$/
const bytesMax = 4_000_000
/** Of all such parts together, since each of their elements becomes an object. */
const allBytesMax = 8_000_000

const isOn = (value: string | undefined): boolean => value === '1' || value?.toLowerCase() === 'true'

/** A workbook may name a source of its data, which its reader asks for with a click; one that asks by itself is refused. */
export async function problemOfConnections(
  bytes: FileBytes,
  entries: readonly ZipEntry[],
  typeOf: (name: string) => string,
): Promise<'office-broken' | 'office-remote' | null> {
  const refreshing = entries.filter(({ name }) => refreshingTypes.test(typeOf(name)))
  if (refreshing.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0) > allBytesMax) return 'office-broken'
  for (const entry of refreshing) {
    const content = await entryContent(bytes, entry, bytesMax)
    const elements = content && readElements(content)
    if (!elements) return 'office-broken'
    const isRefreshing = elements.some(
      ({ attributes: { refreshOnLoad, interval = '0' } }) => isOn(refreshOnLoad) || Number(interval) > 0,
    )
    if (isRefreshing) return 'office-remote'
  }
  return null
}
