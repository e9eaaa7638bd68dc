import type { ByteRange } from './store.ts'

/**
 * The single range that a `range` header requests. Null to send the whole file: without a header, with several ranges, or with a
 * malformed one.
 */
export function askedRange(header: string | undefined, sizeBytes: number): ByteRange | 'outside' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return null
  const end = sizeBytes - 1
  if (first === '')
    return Number(last) === 0 || sizeBytes === 0 ? 'outside' : { from: Math.max(0, sizeBytes - Number(last)), to: end }
  const from = Number(first)
  const to = last === '' ? end : Math.min(Number(last), end)
  if (last !== '' && Number(last) < from) return null
  return from > end ? 'outside' : { from, to }
}
