import { isMore } from '@atrium/contract/money/money.ts'
import type { WithdrawalBlock, WithdrawalQuote } from '@atrium/contract/withdrawals/calls.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Callout } from '../../../ui/feedback/state.tsx'
import formPage from '../../../ui/forms/form-page.module.css'
import { Facts } from '../../../ui/layout/facts.tsx'
import { Amount } from '../../../ui/money/amount.tsx'
import { day, dayAndZone, numberText } from '../../../ui/text/format.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { identityCode } from '../identity-notice.tsx'
import { methodLabel } from '../transactions/transaction-labels.ts'
import { HoldClock } from './hold-clock.tsx'
import type { ShownQuote } from './use-withdrawal-quote.ts'
import parts from './withdrawal-form.module.css'

type SummaryProps = {
  quote: ShownQuote | undefined
  isLive: boolean
  isSubmitting: boolean
  refusal?: ReactNode
  /** Given when the quote could not be loaded. */
  onRetry?: (() => void) | undefined
}

/** Available amount, fee, amount received and time: the server's quote, updated while the form is filled in. */
export function WithdrawalSummary({ quote, isLive, isSubmitting, refusal, onRetry }: SummaryProps) {
  const { t } = useTranslation()
  return (
    <aside className={formPage.summary} aria-label={t('Summary')}>
      <div>
        <p className={formPage.summaryTitle}>{t('You receive')}</p>
        <Amount amount={quote?.net ?? null} currency={quote?.currency ?? ''} size="large" />
      </div>
      {quote && (
        <div className={formPage.summaryFacts}>
          <QuoteFacts quote={quote} isLive={isLive} />
        </div>
      )}
      {onRetry && (
        <Callout meaning="amber">
          {quote
            ? t('The fee and the available amount could not be updated.')
            : t('The fee and the available amount could not be loaded.')}{' '}
          <Button size="compact-xs" variant="default" onClick={onRetry}>
            {t('Try again')}
          </Button>
        </Callout>
      )}
      {quote && <Returns shares={quote.return_to_source} currency={quote.currency} />}
      {quote && <Blocks blocks={quote.blocks} />}
      {quote?.needs_proof && (
        <p className={parts.hint}>{t('You will be asked to confirm that it is you: this destination is new.')}</p>
      )}
      {refusal}
      <Button type="submit" size="md" loading={isSubmitting}>
        {t('CREATE WITHDRAWAL')}
      </Button>
    </aside>
  )
}

function QuoteFacts({ quote, isLive }: { quote: ShownQuote; isLive: boolean }) {
  const { t } = useTranslation()
  const { currency } = quote
  const money = (amount: string | null) => (amount === null ? '\u2013' : <Amount amount={amount} currency={currency} />)
  const isReserved = isMore(quote.reserved, '0')
  const live = [
    { name: t('Our fee'), value: quote.fee === null ? describeFee(quote) : money(quote.fee) },
    { name: t('Arrives'), value: span(quote.expected_from, quote.expected_until) },
    { name: t('Request by'), value: dayAndZone(quote.cut_off) },
  ]
  return (
    <Facts
      facts={[
        { name: t('Available to withdraw'), value: money(quote.available) },
        { name: t('Free margin'), value: money(quote.free_margin) },
        { name: t('Reserved'), value: isReserved ? money(quote.reserved) : null },
        ...(isLive ? live : []),
      ]}
    />
  )
}

/** The shares that return to source, and the reason, shown before submission. */
function Returns({ shares, currency }: { shares: WithdrawalQuote['return_to_source']; currency: string }) {
  const { t } = useTranslation()
  if (shares.length === 0) return null
  return (
    <ul className={parts.blocks} data-stack="sm" aria-label={t('Returned to its source')}>
      {shares.map(({ source, amount, is_returnable, why }) => (
        <li key={source}>
          <Callout meaning={is_returnable ? 'blue' : 'grey'}>
            <strong>
              {methodLabel({ payment_method: source, psp_transaction: null })} {'\u00b7'}{' '}
              <Amount amount={amount} currency={currency} />
            </strong>
            <span className={parts.next}>{t(why)}</span>
          </Callout>
        </li>
      ))}
    </ul>
  )
}

const span = (from: number, until: number) =>
  day(from) === day(until) ? day(from) : `${day(from)} \u2013 ${day(until)}`

function describeFee({ fee_fixed, fee_percent, currency }: ShownQuote): ReactNode {
  if (fee_fixed === null || fee_percent === null) return '\u2013'
  const hasFixed = isMore(fee_fixed, '0')
  const hasShare = isMore(fee_percent, '0')
  if (!hasFixed && !hasShare) return <Amount amount="0" currency={currency} />
  return (
    <>
      {hasFixed && <Amount amount={fee_fixed} currency={currency} />}
      {hasFixed && hasShare && ' + '}
      {hasShare && `${numberText(fee_percent)}\u00a0%`}
    </>
  )
}

/** Every blocking reason with its remedy, except the identity (shown above the form) and fields not yet filled in. */
function Blocks({ blocks }: { blocks: WithdrawalBlock[] }) {
  const { t } = useTranslation()
  const shown = blocks.filter(({ code }) => code !== identityCode)
  if (shown.length === 0) return null
  return (
    <ul className={parts.blocks} data-stack="sm">
      {shown.map((block) => (
        <li key={block.code}>
          <Callout meaning="amber">
            {block.until === null ? t(block.sentence) : <HoldClock code={block.code} until={block.until} />}
            <span className={parts.next}>{t(block.next)}</span>
          </Callout>
        </li>
      ))}
    </ul>
  )
}
