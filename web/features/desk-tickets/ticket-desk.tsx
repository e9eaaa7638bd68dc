import { Button } from '@mantine/core'
import { IconChartBar, IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RecordError } from '../../ui/feedback/record-error.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import type { ListControls } from '../../ui/lists/list-bar.tsx'
import { PaneList } from '../../ui/lists/pane-list.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { CannedDialog } from './canned-dialog.tsx'
import { TicketDetail } from './ticket-detail.tsx'
import { describeCount, stateLabels } from './ticket-labels.ts'
import { TicketLine } from './ticket-line.tsx'
import { TicketMetricsDialog } from './ticket-metrics-dialog.tsx'
import { deskTicketQuery, type TicketsAnswer, tickets } from './use-desk-tickets.ts'

type DeskProps = { staffId: string; mayAnswer: boolean }

const controls: ListControls<typeof tickets.list, TicketsAnswer> = {
  mine: { label: 'Mine', isSwitch: true },
  q: { label: 'Search tickets', placeholder: 'Number, name or subject' },
}

/** The board of tickets and the selected one. */
export function TicketDesk(props: DeskProps) {
  const { t } = useTranslation()
  return (
    <PaneList
      source={tickets}
      to="/tickets/{-$ticketId}"
      param="ticketId"
      label={t('Tickets')}
      paneLabel={t('Board')}
      detailLabel={t('Ticket')}
      tabs={{
        filter: 'state',
        label: 'Tickets by state',
        labels: stateLabels,
        counts: ({ counts: { open, taken, resolved, closed } }) => ({
          open: describeCount(open),
          taken: describeCount(taken),
          resolved: describeCount(resolved),
          closed: describeCount(closed),
        }),
      }}
      controls={controls}
      tools={() => <Tools mayAnswer={props.mayAnswer} />}
      empty={({ state }) => (
        <EmptyState
          drawing="list"
          title={t('Nothing here yet')}
          text={state === undefined ? t('New tickets appear here automatically.') : ''}
        />
      )}
      row={(row) => <TicketLine row={row} />}
      detail={(id) => <One key={id} id={id} {...props} />}
    />
  )
}

/** Actions on the whole board. */
function Tools({ mayAnswer }: { mayAnswer: boolean }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<'canned' | 'metrics' | null>(null)
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconChartBar size={16} stroke={1.5} aria-hidden />}
        onClick={() => setOpened('metrics')}
      >
        {t('Response times')}
      </Button>
      {mayAnswer && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconMessages size={16} stroke={1.5} aria-hidden />}
          onClick={() => setOpened('canned')}
        >
          {t('Canned replies')}
        </Button>
      )}
      <TicketMetricsDialog isOpen={opened === 'metrics'} onClose={() => setOpened(null)} />
      <CannedDialog isOpen={opened === 'canned'} onClose={() => setOpened(null)} />
    </>
  )
}

function One({ id, staffId, mayAnswer }: DeskProps & { id: string }) {
  const { t } = useTranslation()
  const ticket = useQuery(deskTicketQuery(id))
  if (ticket.data) return <TicketDetail ticket={ticket.data} staffId={staffId} mayAnswer={mayAnswer} />
  if (!ticket.isError) return <FormSkeleton label={t('Loading')} />
  return <RecordError error={ticket.error} notFound={t('Ticket not found')} onRetry={() => ticket.refetch()} />
}
