import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { TicketLists } from '../../features/tickets/ticket-lists.tsx'
import { BackLink, CloseButton, TicketView } from '../../features/tickets/ticket-view.tsx'
import { useTicket } from '../../features/tickets/use-tickets.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useEverywhere } from '../shell/everywhere.tsx'

/** The member's tickets, or the one named in the address. */
export function SupportPage() {
  const { id = '' } = useSearch({ strict: false }) as { id?: string }
  return id ? <OneTicket id={id.slice(0, 100)} /> : <AllTickets />
}

function AllTickets() {
  const { t } = useTranslation()
  const { openComplaint } = useEverywhere()
  const create = openComplaint && (
    <Button leftSection={<IconPlus size={18} stroke={1.5} aria-hidden />} onClick={openComplaint}>
      {t('Create')}
    </Button>
  )
  return (
    <Page title={t('Support')} help={t('Your tickets and our replies.')} actions={create}>
      <TicketLists onCreate={openComplaint} />
    </Page>
  )
}

function OneTicket({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data: ticket, error, refetch } = useTicket(id)
  return (
    <Page
      title={ticket ? t('Ticket {{ticket}}', ticket) : t('Ticket')}
      actions={ticket && <CloseButton key={ticket._id} ticket={ticket} />}
    >
      <BackLink />
      {ticket ? (
        <TicketView key={ticket._id} ticket={ticket} />
      ) : error ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      ) : ticket === null ? (
        <Card>
          <EmptyState drawing="search" title={t('Ticket not found')} text={t('The address may be wrong.')} />
        </Card>
      ) : (
        <div aria-busy="true">
          <Skeleton height={320} radius="lg" />
        </div>
      )}
    </Page>
  )
}
