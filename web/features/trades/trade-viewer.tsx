import type { ReactNode } from 'react'
import { Amount } from '../../ui/money/amount.tsx'
import { dayAndTime } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { TradeCard } from './trade-card.tsx'
import { fromSeconds, tradeName } from './trade-labels.ts'
import type { TradedAccount } from './trades-list.ts'
import type { Trade } from './use-trades.ts'
import { Viewer } from './viewer.tsx'
import { ViewerItem } from './viewer-item.tsx'

type TradeViewerProps = {
  account: TradedAccount
  rows: Trade[] | undefined
  open: string | undefined
  onOpen: (id: string | undefined) => void
  pager: ReactNode
}

/** The transaction viewer for trades. */
export function TradeViewer({ account, rows, open, onOpen, pager }: TradeViewerProps) {
  const { t } = useTranslation()
  return (
    <Viewer
      label={t('Trade history')}
      rows={rows}
      open={open}
      onOpen={onOpen}
      item={(trade) => (
        <ViewerItem
          name={tradeName(trade, t)}
          moment={dayAndTime(fromSeconds(trade.timestamp))}
          amount={<Amount amount={trade.profit} currency={account.currency} isBare isResult />}
          about={t(trade.state_label ?? '')}
        />
      )}
      title={(trade) => t('Trade {{ticket}}', { ticket: trade.deal ?? trade.ticket ?? '' })}
      detail={(trade) => <TradeCard account={account} trade={trade} />}
      pager={pager}
    />
  )
}
