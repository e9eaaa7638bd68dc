import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { day, time } from '../../ui/format.ts'
import parts from './withdrawal-form.module.css'

const sentences: Record<string, string> = {
  held: 'Withdrawals rest until {{until}}, because your password or second factor was changed.',
  rests: 'This destination is new or was changed, and can be used from {{until}} on.',
}

/** Until when something rests, in the reader's own time, and how long that is from now. */
export function HoldClock({ code, until }: { code: string; until: number }) {
  const { t } = useTranslation()
  const left = useSecondsLeft(until)
  const sentence = sentences[code] ?? '{{until}}'
  return (
    <>
      {t(sentence, { until: `${day(until)}, ${time(until)}` })}{' '}
      {/* Read out once by the sentence; a second's tick is no news. */}
      <span className={parts.clock} aria-hidden>
        {clockText(left)}
      </span>
    </>
  )
}

function useSecondsLeft(until: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((until - now) / 1_000))
}

function clockText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
