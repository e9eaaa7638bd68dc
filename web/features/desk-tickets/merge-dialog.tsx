import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { Select } from '../../ui/fields/select.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './ticket-desk.module.css'
import { useAct } from './use-desk-tickets.ts'

type DialogProps = { ticket: DeskTicket; isOpen: boolean; onClose: () => void }

/** Merges a ticket into another of the same member, after explaining the consequences. */
export function MergeDialog({ ticket, isOpen, onClose }: DialogProps) {
  const { t } = useTranslation()
  const act = useAct(ticket._id)
  const [into, setInto] = useState<string | null>(null)
  const { tickets } = ticket.context
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('Merge ticket {{ticket}}', { ticket: ticket.ticket })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <div className={parts.form}>
        <p>
          {tickets.length === 0
            ? t('This member has no other ticket.')
            : t('What was said here is shown in the other ticket, and the member is notified. This cannot be undone.')}
        </p>
        {tickets.length > 0 && (
          <Select
            label={t('Continues in')}
            data={tickets.map((row) => ({ value: row._id, label: `#${row.ticket} ${row.subject}` }))}
            value={into}
            onChange={setInto}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            disabled={into === null}
            loading={act.isPending}
            onClick={() => into && act.mutate({ do: 'merge', into }, { onSuccess: onClose })}
          >
            {t('Merge')}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
