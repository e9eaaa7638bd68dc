import { limits } from '@atrium/contract/limits.ts'
import { IconClock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { day, exactTime, time } from '../../ui/format.ts'
import { Callout } from '../../ui/state.tsx'
import parts from './banking.module.css'

/** From when on money is paid to it, as long as that is still to come. */
export function RestNote({ usableFrom }: { usableFrom: number }) {
  const { t } = useTranslation()
  if (usableFrom <= Date.now()) return null
  return (
    <span className={parts.rest} title={exactTime(usableFrom)}>
      <IconClock size={14} stroke={1.5} aria-hidden />
      {t('Can be used from {{day}}, {{time}}', { day: day(usableFrom), time: time(usableFrom) })}
    </span>
  )
}

/** What is asked and what follows, said before the form is sent. */
export function RestHint({ isNew }: { isNew: boolean }) {
  const { t } = useTranslation()
  const values = { minutes: limits.freshSignInMinutes }
  return (
    <Callout meaning="blue">
      {isNew
        ? t(
            'We may ask you to confirm that it is you, and send you a mail. A new account rests for a while before money is paid to it.',
            values,
          )
        : t(
            'We may ask you to confirm that it is you, and send you a mail. A changed account rests for a while before money is paid to it.',
            values,
          )}
    </Callout>
  )
}
