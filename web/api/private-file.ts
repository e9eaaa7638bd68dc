import { limits } from '@atrium/contract/limits.ts'
import { fileAddress } from './address.ts'
import { readFailure, readThrown } from './api-error.ts'
import { authorization } from './transport.ts'

/**
 * What a page may show, a PDF in a frame of its own. Anything else is only bytes: a file that claims to be a page must
 * never run as one of ours.
 */
const shownTypes = ['image/png', 'image/jpeg', 'application/pdf']

/** Large, over a slow line: longer than a call may take. */
const fileAbortMs = 4 * limits.requestAbortMs

export type PrivateFile = { url: string; type: string }

export const isPdf = ({ type }: PrivateFile) => type === 'application/pdf'
export const isPicture = ({ type }: PrivateFile) => type === 'image/png' || type === 'image/jpeg'

/** Fetched and not linked: a picture's own request can neither carry the session nor say why it failed. */
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
    // A refused file is not the end of the session: the file cookie can be gone while the session lives.
    throw readThrown(thrown)
  }
}
