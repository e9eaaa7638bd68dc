import { ActionIcon, Tooltip } from '@mantine/core'
import { IconKeyboard } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone, useIsWide } from '../../ui/use-is-phone.ts'
import { DecisionDialogs, type Question } from './decision-dialogs.tsx'
import parts from './deposit-desk.module.css'
import { rowId } from './deposit-list.tsx'
import { neighbour, nextAfterDecision } from './deposit-queue.ts'
import type { DeskAction } from './desk-keys.ts'
import { DetailPane } from './detail-pane.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import barParts from './queue-bar.module.css'
import { QueuePane } from './queue-pane.tsx'
import { QueueSearch } from './queue-search.tsx'
import { QueueTabs } from './queue-tabs.tsx'
import { useDepositQueue } from './use-deposit-queue.ts'
import { depositQuery } from './use-desk-deposits.ts'
import { useAreKeysOn, useDeskKeys } from './use-desk-keys.ts'
import { useQueuePlace } from './use-queue-place.ts'

/** The queue of deposits and the one that is looked at: side by side where there is room, one after the other elsewhere. */
export function DepositDesk({ mayDecide }: { mayDecide: boolean }) {
  const isWide = useIsWide()
  const isPhone = useIsPhone()
  const place = useQueuePlace()
  const { view, depositId, open } = place
  const queue = useDepositQueue(place, isWide)
  const queryClient = useQueryClient()
  const searchField = useRef<HTMLInputElement>(null)
  const [areKeysOn, setKeysOn] = useAreKeysOn()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [question, setQuestion] = useState<Question | null>(null)
  const [overtakenId, setOvertakenId] = useState<string>()
  const ids = queue.rows?.map(({ _id }) => _id) ?? []

  const move = (step: 1 | -1) => {
    const id = neighbour(ids, depositId, step, queue.lastIndex.current)
    if (!id || id === depositId) return
    open(id, view, { isReplacing: depositId !== undefined })
    const row = document.getElementById(rowId(id))
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }
  const ask = (kind: Question['kind']) => {
    const deposit = depositId === undefined ? undefined : queryClient.getQueryData(depositQuery(depositId).queryKey)
    if (mayDecide && deposit?.state === 'pending')
      setQuestion((last) => ({ kind, deposit, isOpen: true, turn: (last?.turn ?? 0) + 1 }))
  }
  const act = (action: DeskAction) => {
    if (action === 'next') move(1)
    if (action === 'previous') move(-1)
    if (action === 'approve' || action === 'reject') ask(action)
    if (action === 'search') searchField.current?.focus()
    if (action === 'help') setHelpOpen(true)
  }
  useDeskKeys(areKeysOn, act)

  const close = () => setQuestion((asked) => asked && { ...asked, isOpen: false })
  // A dialog that has faded calls back with what it knew when it began to.
  const latestId = useRef(depositId)
  useEffect(() => {
    latestId.current = depositId
  })
  // What had the focus before the question may be gone with the deposit that it was about.
  const takeFocusBack = () => {
    if (document.activeElement === document.body && latestId.current)
      document.getElementById(rowId(latestId.current))?.focus()
  }
  const proceed = (decidedId: string) => {
    close()
    open(nextAfterDecision(ids, decidedId), view, { isReplacing: true })
  }
  const { tab } = view
  const search = useCallback(
    (q: string) => {
      open(undefined, { tab, q, page: 1 }, { isReplacing: true })
    },
    [open, tab],
  )

  const isListShown = isWide || !depositId
  return (
    <div className={parts.desk}>
      {isListShown && (
        <div className={barParts.bar}>
          <QueueTabs tab={view.tab} q={view.q} counts={queue.list.data?.counts} />
          <div className={barParts.side}>
            <QueueSearch q={view.q} onSearch={search} field={searchField} isKeyShown={areKeysOn && !isPhone} />
            {!isPhone && <KeysButton onClick={() => setHelpOpen(true)} />}
          </div>
        </div>
      )}
      <div className={parts.panes}>
        {isListShown && <QueuePane place={place} queue={queue} />}
        {(isWide || depositId) && (
          <DetailPane
            key={depositId}
            depositId={depositId}
            view={view}
            isAlone={!isWide}
            isFirstComing={queue.rows?.length !== 0 && !queue.list.isError}
            isOvertaken={overtakenId === depositId}
            areKeysShown={areKeysOn && !isPhone}
            onDecide={mayDecide ? { approve: () => ask('approve'), reject: () => ask('reject') } : null}
          />
        )}
      </div>
      <DecisionDialogs
        question={question}
        onClose={close}
        onGone={takeFocusBack}
        onDecided={proceed}
        onOvertaken={setOvertakenId}
      />
      <KeysDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} areKeysOn={areKeysOn} onTurn={setKeysOn} />
    </div>
  )
}

function KeysButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Tooltip label={t('Keyboard')}>
      <ActionIcon size={30} aria-label={t('Keyboard')} onClick={onClick}>
        <IconKeyboard size={18} stroke={1.5} />
      </ActionIcon>
    </Tooltip>
  )
}
