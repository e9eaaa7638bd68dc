import { dayAndZone } from '../../../ui/text/format.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { clockText, useSecondsLeft } from '../clock.ts'
import parts from './withdrawal-form.module.css'

const sentences: Record<string, string> = {
  held: 'Withdrawals are paused until {{until}}, because your password, second factor, name, email or phone was changed.',
  rests: 'This destination is new or was changed. Its cooling-off period lasts until {{until}}.',
}

/** The end of a hold in the reader's time zone, and the time remaining. */
export function HoldClock({ code, until }: { code: string; until: number }) {
  const { t } = useTranslation()
  const left = useSecondsLeft(until)
  const sentence = sentences[code] ?? '{{until}}'
  return (
    <>
      {t(sentence, { until: dayAndZone(until) })}{' '}
      {/* The sentence is announced once; screen readers need not announce every second. */}
      <span className={parts.clock} aria-hidden>
        {clockText(left)}
      </span>
    </>
  )
}
