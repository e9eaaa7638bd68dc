import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { Select } from '../../ui/fields/select.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useAct } from './use-desk-tickets.ts'

type DialogProps = { ticket: DeskTicket; onClose: () => void }

/** Merges a ticket into another of the same member, after explaining the consequences. */
export function MergeDialog({ ticket, onClose }: DialogProps) {
  const { t } = useTranslation()
  const act = useAct(ticket._id, { isForm: true })
  const form = useCallForm({
    start: { into: null as string | null },
    labels: { into: 'Continues in' },
    send: ({ into }) => act.mutateAsync({ do: 'merge', into: into ?? '' }),
    onDone: onClose,
  })
  const { tickets } = ticket.context
  return (
    <CallDialog
      form={form}
      title={t('Merge ticket {{ticket}}', { ticket: ticket.ticket })}
      size={440}
      submit={t('Merge')}
      isReady={form.values.into !== null}
      onClose={onClose}
    >
      <p>
        {tickets.length === 0
          ? t('This member has no other ticket.')
          : t('This conversation is shown in the other ticket, and the member is notified. This cannot be undone.')}
      </p>
      {tickets.length > 0 && (
        <Select
          label={t('Continues in')}
          data={tickets.map((row) => ({ value: row._id, label: `#${row.ticket} ${row.subject}` }))}
          value={form.values.into}
          error={form.errorOf('into')}
          onChange={(into) => form.change({ into })}
        />
      )}
    </CallDialog>
  )
}
