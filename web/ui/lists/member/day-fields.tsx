import { DateInput } from '../../fields/date-input.tsx'
import { useTranslation } from '../../text/use-translation.ts'

type Days = {
  search: { from?: string | undefined; to?: string | undefined }
  change: (change: { from?: string; to?: string }) => void
}

/** The first and last day, both inclusive, of a list with the filters `from` and `to`. */
export const dayFields = (days: Days) => <DayFields {...days} />

function DayFields({ search: { from = '', to = '' }, change }: Days) {
  const { t } = useTranslation()
  const shared = { size: 'sm', span: { from, to, onSpan: change } } as const
  return (
    <>
      <DateInput {...shared} label={t('From')} value={from} onChange={(day) => change({ from: day })} />
      <DateInput {...shared} label={t('To')} value={to} onChange={(day) => change({ to: day })} />
    </>
  )
}
