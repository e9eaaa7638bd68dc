import type { ByteRange } from './store.ts'

/**
 * The one part that a `range` header asks for. Null where the whole is to be sent: nothing asked, several parts asked, or
 * not a range that we know; a header that nobody understands is as good as none.
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
