import { type Fact, Facts } from '../../ui/layout/facts.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { typeLabel } from '../../ui/money/transaction-type.ts'
import { platformName } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './ticket-parts.module.css'
import type { Ticket } from './use-tickets.ts'

type Model = NonNullable<Ticket['model']>

const systemNames: Record<string, string> = {
  windows: 'Windows',
  android: 'Android',
  ios: 'iOS',
  'mac-os': 'macOS',
  web: 'Web',
}

/** The subject of a ticket: an account, a transaction or a download. */
export function ModelCard({ model }: { model: Model }) {
  const { t } = useTranslation()
  const { title, facts } = useShown(model)
  return (
    <Card className={parts.model} data-stack="md" data-pad="xl">
      <h2 className={parts.modelTitle}>{t(title)}</h2>
      <Facts facts={facts.map((fact) => ({ ...fact, name: t(fact.name) }))} />
    </Card>
  )
}

function useShown(model: Model): { title: string; facts: Fact[] } {
  const { t } = useTranslation()
  if (model.__typename === 'TradingAccount') {
    const { platform_login, trading_platform, balance, currency } = model
    return {
      title: 'Trading account',
      facts: [
        { name: 'Account', value: platform_login },
        { name: 'Platform', value: platformName(trading_platform.type) },
        { name: 'Balance', value: balance === null ? null : <Amount amount={balance} currency={currency} /> },
      ],
    }
  }
  if (model.__typename === 'BalanceTransaction') {
    const { ticket, type, amount, currency, trading_account } = model
    return {
      title: 'Transaction',
      facts: [
        { name: 'Ticket', value: ticket },
        { name: 'Transaction', value: t(typeLabel(type)) },
        { name: 'Amount', value: <Amount amount={amount} currency={currency} /> },
        { name: 'Account', value: trading_account.platform_login },
      ],
    }
  }
  return {
    title: 'Download',
    facts: [
      { name: 'Platform', value: model.trading_platform_name },
      { name: 'OS', value: systemNames[model.platform] ?? model.platform },
      { name: 'Name', value: model.name },
    ],
  }
}
