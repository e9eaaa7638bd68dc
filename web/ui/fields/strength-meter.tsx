import { passwordStrength } from '@atrium/contract/validators/strength.ts'
import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from '../text/use-translation.ts'
import parts from './strength-meter.module.css'

const labels = ['Very weak', 'Weak', 'Fair', 'Strong'] as const
const steps = [1, 2, 3] as const

/** A password's resistance to guessing: three steps and a label. */
export function StrengthMeter({ password }: { password: string }) {
  const { t } = useTranslation()
  const strength = passwordStrength(password)
  const word = password === '' ? '' : t(labels[strength])
  return (
    <p className={parts.meter}>
      {steps.map((step) => (
        <span key={step} className={`${parts.step} ${strength >= step ? parts.reached : ''}`} aria-hidden />
      ))}
      <span className={parts.word}>
        {word && <VisuallyHidden>{t('Password strength:')} </VisuallyHidden>}
        {word}
      </span>
    </p>
  )
}
