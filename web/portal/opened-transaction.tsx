import { ActionIcon, Drawer } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { TransactionDetail } from '../features/funding/transactions/transaction-detail.tsx'
import detailParts from '../features/funding/transactions/transaction-parts.module.css'
import type { Transaction } from '../features/funding/use-funding.ts'
import { useIsOpen } from '../features/session/session.ts'
import { useTopDialog } from '../ui/feedback/open-dialogs.ts'
import { useIsPhone } from '../ui/layout/use-is-phone.ts'
import { useTranslation } from '../ui/text/use-translation.ts'
import { useEverywhere, useOwnComplaint } from './shell/everywhere.tsx'

type OpenedTransactionProps = {
  opened: boolean
  transaction: Transaction | undefined
  isWide: boolean
  onClose: () => void
}

/** The transaction of the address: beside the list on a wide screen, above it on others. */
export function OpenedTransaction({ opened, transaction, isWide, onClose }: OpenedTransactionProps) {
  const shown = opened ? transaction : undefined
  if (!isWide) return <DetailSheet transaction={shown} onClose={onClose} />
  return shown && <DetailPanel transaction={shown} onClose={onClose} />
}

function useComplaint() {
  const { t } = useTranslation()
  const { openComplaintAbout } = useEverywhere()
  return (
    openComplaintAbout &&
    (({ _id, ticket }: Transaction) =>
      openComplaintAbout({ type: 'profile', model: { _id, label: t('Transaction {{ticket}}', { ticket }) } }))
  )
}

function Detail({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  const isOpen = useIsOpen()
  return (
    <TransactionDetail
      transaction={transaction}
      isDepositOpen={isOpen('deposit')}
      onCancelled={onClose}
      onComplain={useComplaint()}
    />
  )
}

function DetailPanel({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  const { t } = useTranslation()
  const title = t('Transaction {{ticket}}', { ticket: transaction.ticket })
  useOwnComplaint(useComplaint() !== null)
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<Element | null>(null)
  // The side panel does not take the focus by itself, so a screen reader would not announce it.
  useEffect(() => {
    const before = document.activeElement
    if (before !== heading.current) opener.current = before
    if (transaction._id) heading.current?.focus({ preventScroll: true })
  }, [transaction._id])
  const close = () => {
    onClose()
    if (opener.current instanceof HTMLElement) opener.current.focus()
  }
  return (
    <section
      className={detailParts.panel}
      aria-label={title}
      onKeyDown={({ key, defaultPrevented }) => key === 'Escape' && !defaultPrevented && close()}
    >
      <div className={detailParts.panelTop}>
        <h2 ref={heading} tabIndex={-1} className={detailParts.panelTitle}>
          {title}
        </h2>
        <ActionIcon aria-label={t('Close the details')} onClick={close}>
          <IconX size={18} stroke={1.5} />
        </ActionIcon>
      </div>
      <Detail transaction={transaction} onClose={close} />
    </section>
  )
}

function DetailSheet({ transaction, onClose }: { transaction: Transaction | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const isTop = useTopDialog(transaction !== undefined)
  return (
    <Drawer
      opened={transaction !== undefined}
      onClose={() => isTop() && onClose()}
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '92dvh' : 460}
      title={transaction && t('Transaction {{ticket}}', { ticket: transaction.ticket })}
      closeButtonProps={{ 'aria-label': t('Close the details') }}
    >
      {transaction && <Detail transaction={transaction} onClose={onClose} />}
    </Drawer>
  )
}
