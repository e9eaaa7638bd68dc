import { Drawer } from '@mantine/core'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { CollapsibleText } from '../../ui/layout/collapsible-text.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { useIsPhone } from '../../ui/layout/use-is-phone.ts'
import { Amount } from '../../ui/money/amount.tsx'
import { dayAndTime } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { entryLabel, fromSeconds, levelsOf, lots, sideLabel, stateMeaning } from './trade-labels.ts'
import type { TradedAccount } from './trades-list.ts'
import type { Trade } from './use-trades.ts'

type TradeCardProps = { account: TradedAccount; trade: Trade }

/** All facts of one trade, the result first. */
export function TradeCard({ account, trade }: TradeCardProps) {
  const { t } = useTranslation()
  const { currency, platform_type } = account
  const { sl, tp } = levelsOf(trade, platform_type)
  const way = entryLabel(trade.entry)
  const money = (amount: string | null | undefined) => <Amount amount={amount} currency={currency} />
  return (
    <div data-stack="xl">
      <div data-stack="sm" data-align="start">
        <Amount amount={trade.profit} currency={currency} size="large" isResult />
        <StatusPill meaning={stateMeaning(trade.state_label)} label={t(trade.state_label ?? '')} />
      </div>
      <Facts
        facts={[
          { name: t('Symbol'), value: trade.symbol },
          { name: t('Side'), value: t(sideLabel(trade.cmd)) },
          { name: t('Entry'), value: way && t(way) },
          { name: t('Volume'), value: lots(trade.volume) },
          { name: t('Opened'), value: trade.opened_at && dayAndTime(fromSeconds(trade.opened_at)) },
          { name: t('Time'), value: dayAndTime(fromSeconds(trade.timestamp)) },
          { name: t('Open price'), value: trade.open_price },
          { name: t('Close price'), value: trade.close_price },
          { name: t('Stop loss'), value: sl },
          { name: t('Take profit'), value: tp },
          { name: t('Commission'), value: money(trade.commission) },
          { name: t('Swap'), value: money(trade.swap) },
          { name: t('Order'), value: trade.order, copy: trade.order ?? undefined },
          { name: t('Deal'), value: platform_type === 'mt5' ? trade.deal : null, copy: trade.deal ?? undefined },
          { name: t('Comment'), value: trade.comment && <CollapsibleText key={trade._id} text={trade.comment} /> },
        ]}
      />
    </div>
  )
}

type SheetProps = { account: TradedAccount; trade: Trade | undefined; onClose: () => void }

/** The trade card as an overlay; on phones it opens from below. */
export function TradeSheet({ account, trade, onClose }: SheetProps) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  return (
    <Drawer
      opened={trade !== undefined}
      onClose={onClose}
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '92dvh' : 460}
      title={trade && t('Trade {{ticket}}', { ticket: trade.deal ?? trade.ticket ?? '' })}
      closeButtonProps={{ 'aria-label': t('Close the details') }}
    >
      {trade && <TradeCard account={account} trade={trade} />}
    </Drawer>
  )
}
