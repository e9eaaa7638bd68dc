import { isHeld } from '@atrium/contract/files/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { fetchPrivateFile } from '../../api/private-file.ts'
import type { DeskDeposit } from './use-desk-deposits.ts'

export type Receipt = DeskDeposit['receipts'][number]

export const receiptQuery = (receipt: Receipt) =>
  queryOptions({
    queryKey: ['desk-receipt', receipt._id],
    queryFn: () => fetchPrivateFile(receipt),
    enabled: !isHeld(receipt.scan),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
