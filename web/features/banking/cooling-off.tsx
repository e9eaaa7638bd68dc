import { limits } from '@atrium/contract/limits.ts'
import { IconClock } from '@tabler/icons-react'
import { serverNow } from '../../api/transport.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { dayAndZone, exactTime } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './banking.module.css'

/** The end of the cooling-off period; empty once it has passed. */
export function CoolingOffNote({ usableFrom }: { usableFrom: number }) {
  const { t } = useTranslation()
  if (usableFrom <= serverNow()) return null
  return (
    <span className={parts.coolingOff} title={exactTime(usableFrom)}>
      <IconClock size={14} stroke={1.5} aria-hidden />
      {t('Cooling-off period until {{time}}', { time: dayAndZone(usableFrom) })}
    </span>
  )
}

/** Announces the identity check and the cooling-off period before the form is sent. */
export function CoolingOffHint({ isNew }: { isNew: boolean }) {
  const { t } = useTranslation()
  const values = { minutes: limits.freshSignInMinutes }
  return (
    <Callout meaning="blue">
      {isNew
        ? t(
            'We may ask you to confirm that it is you, and send you an email. For your security, a new account can be used for withdrawals only after a cooling-off period.',
            values,
          )
        : t(
            'We may ask you to confirm that it is you, and send you an email. For your security, a changed account can be used for withdrawals only after a cooling-off period.',
            values,
          )}
    </Callout>
  )
}
