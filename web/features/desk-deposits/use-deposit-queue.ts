import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { pageCount } from '../../ui/lists/pager.ts'
import { queuePageSize } from './deposit-queue.ts'
import { depositsQuery } from './use-desk-deposits.ts'
import type { useQueuePlace } from './use-queue-place.ts'

type Place = ReturnType<typeof useQueuePlace>

/** The page of the queue that the address names. Beside a wide list the first deposit opens by itself. */
export function useDepositQueue({ view, depositId, open, isLeaving }: Place, isWide: boolean) {
  const list = useQuery(depositsQuery(view))
  const isOtherTab = list.data !== undefined && list.data.tab !== view.tab
  const rows = isOtherTab ? undefined : list.data?.deposits
  const isSettled = list.data !== undefined && !list.isPlaceholderData
  const firstId = rows?.[0]?._id
  const { page } = view
  const name = JSON.stringify(view)

  useEffect(() => {
    if (!isWide || !isSettled || depositId || !firstId || isLeaving()) return
    open(firstId, JSON.parse(name), { isReplacing: true })
  }, [isWide, isSettled, depositId, firstId, open, isLeaving, name])

  // The last page can empty itself while it is worked on.
  const pages = pageCount(list.data?.total ?? 0, queuePageSize)
  useEffect(() => {
    if (isSettled && page > pages && !isLeaving())
      open(undefined, { ...JSON.parse(name), page: pages }, { isReplacing: true })
  }, [isSettled, page, pages, open, isLeaving, name])

  const lastIndex = useRef(0)
  const index = rows?.findIndex(({ _id }) => _id === depositId) ?? -1
  useEffect(() => {
    if (index >= 0) lastIndex.current = index
  }, [index])

  return { list, rows, isOld: list.isPlaceholderData && !isOtherTab, lastIndex }
}
