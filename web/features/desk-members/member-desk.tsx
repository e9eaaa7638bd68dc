import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeys } from '../../ui/keyboard.tsx'
import { Panes } from '../../ui/panes.tsx'
import { useIsLeaving } from '../../ui/use-is-leaving.ts'
import { useIsWide } from '../../ui/use-is-phone.ts'
import { MemberBar } from './member-bar.tsx'
import { MemberList, rowId } from './member-list.tsx'
import { MemberPane } from './member-pane.tsx'
import type { MemberRights } from './member-rights.ts'
import { type MemberSearch, readMemberSearch } from './member-search.ts'
import { type DeskMember, membersQuery } from './use-members.ts'

type MemberDeskProps = {
  rights: MemberRights
  /** What happened to the member, for those who may read it. */
  trail: (memberId: string) => ReactNode
  /** What the member asked to have opened. */
  openings: (openings: DeskMember['openings']) => ReactNode
}

const route = '/members/{-$memberId}'

/** The brokerage's members, and the one that is looked at. Where somebody is stands in the address. */
export function MemberDesk({ rights, trail, openings }: MemberDeskProps) {
  const { t } = useTranslation()
  const isWide = useIsWide()
  const navigate = useNavigate()
  const search = readMemberSearch(useSearch({ strict: false }))
  const { memberId } = useParams({ strict: false }) as { memberId?: string }
  const searchField = useRef<HTMLInputElement>(null)
  const list = useQuery(membersQuery(search))
  const ids = list.data?.members.map(({ _id }) => _id) ?? []

  const open = useCallback(
    (id: string | undefined, next: MemberSearch, isReplacing = false) =>
      navigate({ to: route, params: { memberId: id }, search: next, replace: isReplacing }),
    [navigate],
  )
  const move = (step: 1 | -1) => {
    const at = memberId === undefined ? -1 : ids.indexOf(memberId)
    const id = at < 0 ? ids[0] : ids[at + step]
    if (!id) return
    open(id, search, memberId !== undefined)
    document.getElementById(rowId(id))?.focus({ preventScroll: true })
    document.getElementById(rowId(id))?.scrollIntoView({ block: 'nearest' })
  }
  useKeys(t('Members'), [
    { keys: 'j', words: 'Next member', mayRepeat: true, act: () => move(1) },
    { keys: 'k', words: 'Previous member', mayRepeat: true, act: () => move(-1) },
    { keys: '/', words: 'Search', act: () => searchField.current?.focus() },
  ])

  const firstId = ids[0]
  const isSettled = list.data !== undefined && !list.isPlaceholderData
  const isLeaving = useIsLeaving(route)
  const latestSearch = useRef(search)
  useEffect(() => {
    latestSearch.current = search
  })
  // Beside a wide list the first member opens by itself.
  useEffect(() => {
    if (isWide && isSettled && !memberId && firstId && !isLeaving()) open(firstId, latestSearch.current, true)
  }, [isWide, isSettled, memberId, firstId, open, isLeaving])

  return (
    <Panes
      bar={
        <MemberBar
          search={search}
          field={searchField}
          rights={rights}
          onSearch={(next) => open(undefined, next, true)}
          onInvited={(id) => open(id, {})}
        />
      }
      listLabel={t('Members')}
      list={<MemberList list={list} search={search} chosen={memberId} onSearch={(next) => open(undefined, next)} />}
      detailLabel={t('Member')}
      detailOf={memberId}
      detail={
        memberId && (
          <MemberPane
            key={memberId}
            memberId={memberId}
            search={search}
            isAlone={!isWide}
            rights={rights}
            trail={trail}
            openings={openings}
          />
        )
      }
    />
  )
}
