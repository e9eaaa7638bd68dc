import { limits } from '@atrium/contract/limits.ts'
import { queryOptions } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fileAddress } from '../../api/address.ts'
import { readFailure, readThrown } from '../../api/api-error.ts'
import { authorization } from '../../api/transport.ts'
import type { DeskDeposit } from './use-desk-deposits.ts'

export type Receipt = DeskDeposit['receipts'][number]

/**
 * What a page may show, a PDF in a frame of its own. Anything else is only bytes: a file that claims to be a page must
 * never run as one of ours.
 */
const shownTypes = ['image/png', 'image/jpeg', 'application/pdf']

export const isPdf = (receipt: Receipt) => receipt.type === 'application/pdf'

export const isPicture = (receipt: Receipt) => receipt.type === 'image/png' || receipt.type === 'image/jpeg'

/** Large, over a slow line: longer than a call may take. */
const receiptAbortMs = 4 * limits.requestAbortMs

/** Fetched and not linked: a picture's own request can neither carry the session nor say why it failed. */
async function fetchReceipt(receipt: Receipt): Promise<Blob> {
  try {
    const response = await fetch(fileAddress(receipt.url), {
      credentials: 'include',
      headers: authorization(),
      signal: AbortSignal.timeout(receiptAbortMs),
    })
    if (!response.ok) throw readFailure(response.status, await response.json().catch(() => null), null)
    const type = shownTypes.find((shown) => shown === receipt.type) ?? 'application/octet-stream'
    return new Blob([await response.arrayBuffer()], { type })
  } catch (thrown) {
    // A refused file is not the end of the session: the file cookie can be gone while the session lives.
    throw readThrown(thrown)
  }
}

export const receiptQuery = (receipt: Receipt) =>
  queryOptions({
    queryKey: ['desk-receipt', receipt._id],
    queryFn: () => fetchReceipt(receipt),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

/** An address for bytes in memory, given back when nobody shows them any more. */
export function useBlobAddress(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => {
      setAddress(undefined)
      URL.revokeObjectURL(made)
    }
  }, [blob])
  return address
}
