import { limits } from '@atrium/contract/limits.ts'
import { fileAddress } from './address.ts'
import { readFailure, toApiError } from './api-error.ts'
import { authorization } from './transport.ts'

/**
 * Types that a page may display, a PDF in its own frame. All others become plain bytes, because an uploaded HTML page must
 * never run on our origin.
 */
const shownTypes = ['image/png', 'image/jpeg', 'application/pdf']

/** Longer than the timeout of a call, for large files over slow connections. */
const fileAbortMs = 4 * limits.requestAbortMs

export type PrivateFile = { url: string; type: string }

export const isPdf = ({ type }: PrivateFile) => type === 'application/pdf'
export const isPicture = ({ type }: PrivateFile) => type === 'image/png' || type === 'image/jpeg'

/** Fetched instead of linked: an `img` request cannot carry the session or report why it failed. */
export async function fetchPrivateFile({ url, type }: PrivateFile): Promise<Blob> {
  try {
    const response = await fetch(fileAddress(url), {
      credentials: 'include',
      headers: authorization(),
      signal: AbortSignal.timeout(fileAbortMs),
    })
    if (!response.ok) throw readFailure(response.status, await response.json().catch(() => null), null)
    const shown = shownTypes.find((each) => each === type) ?? 'application/octet-stream'
    return new Blob([await response.arrayBuffer()], { type: shown })
  } catch (thrown) {
    // A refused file does not end the session: the file cookie can expire before the session.
    throw toApiError(thrown)
  }
}
