import { texts } from '@atrium/contract/texts.ts'
import { Skeleton } from '@mantine/core'
import { Page } from '../ui/layout/page.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'

type Heading = { title: string; help: string }

/** Of the pages whose code takes longest to load. */
export const headings = {
  accounts: { title: texts.accountsTitle, help: 'Your live and demo accounts on every platform.' },
  deposit: { title: 'Deposit', help: 'Choose an account and an amount, then how you want to pay.' },
  transactions: { title: 'All Transactions', help: 'Every deposit and withdrawal, newest first.' },
} satisfies Record<string, Heading>

const rows = ['first', 'second', 'third', 'fourth']

/** Route options: the heading of a page appears at once, also while the code of the page still loads. */
export const headingFirst = ({ title, help }: Heading) => ({
  pendingMs: 0,
  pendingComponent: function PendingPage() {
    const { t } = useTranslation()
    return (
      <Page title={t(title)} help={t(help)}>
        <div role="status" aria-label={t('Loading')} aria-busy>
          {rows.map((row) => (
            <Skeleton key={row} height={44} mb={16} />
          ))}
        </div>
      </Page>
    )
  },
})
