import { Callout } from '../../ui/feedback/state.tsx'
import { day, dayAndTime } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { TradeHistory } from './use-trades.ts'

/** Says what the list does not include yet, or no longer receives; empty when the history is complete. */
export function HistoryNotice({ history }: { history: TradeHistory | null | undefined }) {
  const { t } = useTranslation()
  if (!history) return null
  if (history.failing_since !== null)
    return (
      <Callout meaning="amber">
        {history.read_at === null
          ? t('The platform does not answer right now. Your trades will be listed once it does.')
          : t('The platform has not answered since {{since}}. These are the trades as of {{asOf}}.', {
              since: dayAndTime(history.failing_since),
              asOf: dayAndTime(history.read_at),
            })}
      </Callout>
    )
  if (history.is_complete) return null
  return (
    <Callout meaning="blue">
      {history.read_from === null
        ? t('Your trades are being read from the platform.')
        : t('Older trades are still being read: they are listed back to {{day}} so far.', {
            day: day(history.read_from),
          })}
    </Callout>
  )
}
