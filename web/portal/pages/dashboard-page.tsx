import { ActionIcon, SegmentedControl } from '@mantine/core'
import { IconTicket } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { serverNow } from '../../api/transport.ts'
import { CurrencyCharts } from '../../features/dashboard/currency-charts.tsx'
import { MetricCards } from '../../features/dashboard/metric-cards.tsx'
import { beginningOf, type Period, periods, readPeriod, writePeriod } from '../../features/dashboard/period.ts'
import { type DashboardMetrics, useDashboard } from '../../features/dashboard/use-dashboard.ts'
import { useIsOpen, useSession } from '../../features/session/session.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card, Page, Section } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Tooltip } from '../../ui/tooltip/tooltip.tsx'
import { useEverywhere } from '../shell/everywhere.tsx'

const periodLabels: Record<Period, string> = { '30d': '30 days', '90d': '90 days', year: 'Year', all: 'All' }

/** Transaction totals by currency and outcome; each total links to its transactions. */
export function DashboardPage() {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  const period = readPeriod(useSearch({ strict: false }) as Record<string, unknown>)
  const beginning = beginningOf(period, serverNow())
  const { data, error, refetch } = useDashboard(beginning?.at)
  const currencies = useOwnCurrencyFirst(data)
  const wayTo = (scope: Parameters<typeof isOpen>[0], to: string) => (isOpen(scope) ? to : null)
  return (
    <Page
      title={t('Dashboard')}
      help={t('Deposits and withdrawals of your live accounts, by currency. Demo accounts are not counted.')}
      actions={
        <>
          <PeriodSwitch period={period} />
          <CreateTicket />
        </>
      }
    >
      {error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      ) : (
        <>
          <MetricCards
            metrics={data && currencies && { ...data, currencies }}
            from={beginning?.day}
            ways={{
              accounts: wayTo('my_accounts', '/accounts'),
              profile: wayTo('profile', '/profile'),
              transactions: wayTo('transactions', '/funds/transactions'),
            }}
          />
          <Section title={t('Deposits and withdrawals')}>
            {currencies?.length === 0 ? <NothingMoved period={period} /> : <CurrencyCharts currencies={currencies} />}
          </Section>
        </>
      )}
    </Page>
  )
}

function useOwnCurrencyFirst(metrics: DashboardMetrics | undefined): DashboardMetrics['currencies'] | undefined {
  const { default_currency } = useSession().settings
  return metrics?.currencies.toSorted(
    (left, right) => Number(right.currency === default_currency) - Number(left.currency === default_currency),
  )
}

function CreateTicket() {
  const { t } = useTranslation()
  const { openComplaintAbout } = useEverywhere()
  if (!openComplaintAbout) return null
  return (
    <Tooltip label={t('Create Ticket')}>
      <ActionIcon
        variant="default"
        aria-label={t('Create Ticket')}
        aria-haspopup="dialog"
        onClick={() => openComplaintAbout({ type: 'general' })}
      >
        <IconTicket size={20} stroke={1.5} />
      </ActionIcon>
    </Tooltip>
  )
}

function PeriodSwitch({ period }: { period: Period }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const change = (value: string) =>
    navigate({
      to: '/dashboard',
      search: writePeriod(readPeriod({ period: value })) as never,
      replace: true,
      resetScroll: false,
    })
  return (
    <SegmentedControl
      aria-label={t('Period')}
      value={period}
      onChange={change}
      data={periods.map((value) => ({ value, label: t(periodLabels[value]) }))}
    />
  )
}

function NothingMoved({ period }: { period: Period }) {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  return (
    <Card>
      <EmptyState
        drawing="list"
        title={period === 'all' ? t('No transactions yet') : t('No activity in this period')}
        text={t('Deposits and withdrawals of live accounts are shown here, one chart for each currency.')}
        action={isOpen('deposit') && <LinkButton to="/funds/deposit">{t('Make a deposit')}</LinkButton>}
      />
    </Card>
  )
}
